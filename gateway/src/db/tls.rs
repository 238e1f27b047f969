//! TLS to the database, by the words of libpq: `sslmode` and `sslrootcert` in the connection
//! string mean what they mean to psql.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, RootCertStore,
    SignatureScheme,
};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::Error;

/// What is checked of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    /// Nothing: what is sent cannot be read on the way, but the server may be another.
    Nothing,
    /// Its certificate comes from whom we trust.
    Authority,
    /// And it is made out to the name that we connect to.
    AuthorityAndName,
}

/// How a connection is encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Encryption {
    pub(super) mode: SslMode,
    checks: Checks,
    /// A file of certificates that are trusted; `None`: those that the system trusts.
    roots: Option<String>,
}

impl Encryption {
    /// Takes what a connection string says of TLS out of it: the rest is what
    /// `tokio_postgres` understands.
    ///
    /// # Errors
    /// [`Error::ConnectionString`] for an unknown mode, or where the string cannot be read.
    pub(super) fn split_off(text: &str) -> Result<(String, Self), Error> {
        let (rest, given) = if text.contains("://") { of_url(text) } else { of_pairs(text) }
            .ok_or(Error::ConnectionString)?;
        let value = |wanted: &str| {
            let found = given.iter().rev().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
        };
        let roots = value("sslrootcert");
        // As libpq: who names a certificate wants it checked.
        let required = if roots.is_some() { Checks::Authority } else { Checks::Nothing };
        let (mode, checks) = match value("sslmode").as_deref() {
            Some("disable") => (SslMode::Disable, Checks::Nothing),
            None | Some("prefer" | "allow") => (SslMode::Prefer, Checks::Nothing),
            Some("require") => (SslMode::Require, required),
            Some("verify-ca") => (SslMode::Require, Checks::Authority),
            Some("verify-full") => (SslMode::Require, Checks::AuthorityAndName),
            Some(_) => return Err(Error::ConnectionString),
        };
        let roots = roots.filter(|path| path != "system");
        Ok((rest, Self { mode, checks, roots }))
    }

    /// What makes encrypted connections.
    ///
    /// # Errors
    /// [`Error::Format`] or [`Error::File`] for a file of certificates that cannot be used.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, Error> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let broken = |error: TlsError| Error::Task(format!("TLS cannot be set up: {error}"));
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(broken)?;
        let inner = match self.checks {
            Checks::Nothing => None,
            Checks::Authority | Checks::AuthorityAndName => {
                let roots = Arc::new(self.trusted()?);
                let verifier =
                    WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider));
                Some(verifier.build().map_err(|e| Error::Task(format!("TLS: {e}")))?)
            }
        };
        let verifier = Verifier { inner, checks: self.checks, provider };
        let config = config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok(MakeRustlsConnect::new(config))
    }

    fn trusted(&self) -> Result<RootCertStore, Error> {
        let mut roots = RootCertStore::empty();
        let Some(path) = &self.roots else {
            // What of it cannot be read is no reason not to use the rest.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return Ok(roots);
        };
        let problem = |problem: String| Error::Format { path: path.into(), problem };
        let bytes =
            std::fs::read(path).map_err(|source| Error::File { path: path.into(), source })?;
        for certificate in CertificateDer::pem_slice_iter(&bytes) {
            let certificate = certificate
                .map_err(|e| problem(format!("it is no file of certificates (PEM): {e}")))?;
            roots.add(certificate).map_err(|e| problem(format!("a certificate: {e}")))?;
        }
        if roots.is_empty() {
            return Err(problem("it has no certificate (PEM)".into()));
        }
        Ok(roots)
    }
}

/// The checks of libpq, of which rustls knows the strictest alone.
#[derive(Debug)]
struct Verifier {
    inner: Option<Arc<WebPkiServerVerifier>>,
    checks: Checks,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let Some(inner) = &self.inner else { return Ok(ServerCertVerified::assertion()) };
        let verified = inner.verify_server_cert(certificate, chain, name, ocsp, now);
        match verified {
            Err(TlsError::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.checks == Checks::Authority => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

type Given = Vec<(String, String)>;

fn is_ours(name: &str) -> bool {
    matches!(name, "sslmode" | "sslrootcert")
}

/// Of `postgresql://…?name=value&…`.
fn of_url(text: &str) -> Option<(String, Given)> {
    let Some((place, parameters)) = text.split_once('?') else {
        return Some((text.to_owned(), Vec::new()));
    };
    let decoded = |text: &str| {
        let decoded = percent_encoding::percent_decode_str(text).decode_utf8().ok()?;
        Some(decoded.into_owned())
    };
    let mut given = Vec::new();
    let mut kept = Vec::new();
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some((name, value)) if is_ours(name) => given.push((name.to_owned(), decoded(value)?)),
            _ => kept.push(parameter),
        }
    }
    let mark = if kept.is_empty() { "" } else { "?" };
    Some((format!("{place}{mark}{}", kept.join("&")), given))
}

/// Of `name=value name='value with spaces'`, where a backslash takes the next sign as it is.
fn of_pairs(text: &str) -> Option<(String, Given)> {
    let mut given = Vec::new();
    let mut kept = String::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let equals = rest.find('=')?;
        let name = rest[..equals].trim();
        let begins = equals + 1 + rest[equals + 1..].len() - rest[equals + 1..].trim_start().len();
        let (value, length) = value(&rest[begins..])?;
        if is_ours(name) {
            given.push((name.to_owned(), value));
        } else {
            kept.push_str(&rest[..begins + length]);
            kept.push(' ');
        }
        rest = rest[begins + length..].trim_start();
    }
    Some((kept.trim_end().to_owned(), given))
}

/// The value at the beginning, and how many bytes it takes.
fn value(text: &str) -> Option<(String, usize)> {
    let quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut letters = text.char_indices().skip(usize::from(quoted));
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.push(letters.next()?.1),
            '\'' if quoted => return Some((value, at + 1)),
            letter if letter.is_whitespace() && !quoted => return Some((value, at)),
            letter => value.push(letter),
        }
    }
    (!quoted).then_some((value, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, Encryption) {
        Encryption::split_off(text).expect("a connection string")
    }

    #[test]
    fn the_words_of_libpq_are_taken_out_in_both_forms() {
        for (text, rest) in [
            ("postgresql://a:p@h/d", "postgresql://a:p@h/d"),
            ("postgresql://a@h/d?sslmode=verify-full", "postgresql://a@h/d"),
            (
                "postgres://a@h/d?sslmode=require&application_name=x&sslrootcert=%2Fca.pem",
                "postgres://a@h/d?application_name=x",
            ),
            ("host=h sslmode=require dbname=d", "host=h dbname=d"),
            (r"password='it\'s' sslmode = 'verify-ca'", r"password='it\'s'"),
            (r"password='a \'sslmode=require' host=h", r"password='a \'sslmode=require' host=h"),
            ("host=h", "host=h"),
            ("", ""),
        ] {
            assert_eq!(split(text).0, rest, "{text}");
        }
        assert_eq!(split("postgres://h/d?sslrootcert=%2Fa%20b").1.roots.as_deref(), Some("/a b"));
    }

    #[test]
    fn each_mode_checks_what_libpq_checks() {
        for (text, mode, checks) in [
            ("host=h", SslMode::Prefer, Checks::Nothing),
            ("host=h sslmode=disable", SslMode::Disable, Checks::Nothing),
            ("host=h sslmode=require", SslMode::Require, Checks::Nothing),
            ("host=h sslmode=require sslrootcert=/ca", SslMode::Require, Checks::Authority),
            ("host=h sslmode=verify-ca", SslMode::Require, Checks::Authority),
            ("host=h sslmode=verify-full", SslMode::Require, Checks::AuthorityAndName),
            ("host=h sslmode=disable sslmode=require", SslMode::Require, Checks::Nothing),
        ] {
            let found = split(text).1;
            assert_eq!((found.mode, found.checks), (mode, checks), "{text}");
        }
        for text in ["host=h sslmode=maybe", "host='h", "sslmode", "postgres://h?sslmode=%ff"] {
            assert!(Encryption::split_off(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_named() {
        let with = |path: &str| {
            let text = format!("host=h sslmode=verify-full sslrootcert={path}");
            split(&text).1.connector().map(|_| ()).expect_err("no certificates").to_string()
        };
        assert!(with("/nonexistent/ca.pem").contains("/nonexistent/ca.pem"));
        assert!(with("/dev/null").contains("no certificate"));
    }
}
