//! A TLS front for a cluster, as the servers that are fetched for tests have no TLS
//! of their own: it speaks the beginning of the protocol as Postgres does, then TLS,
//! and hands on what comes out of that.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::cluster::Cluster;

/// What a client sends that wants TLS: the length, and a number in place of a version.
const REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// A server that takes connections by TLS alone; gone with the test process.
pub struct TlsServer {
    /// Its port at 127.0.0.1.
    pub port: u16,
    /// The certificate of who issued its own, as a file (PEM).
    pub authority: PathBuf,
}

impl TlsServer {
    /// Starts one in front of a cluster, with a certificate made out to `name`; with
    /// `None` it has none, and says so to who asks.
    pub fn start(cluster: &Cluster, name: Option<&str>) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = params.self_signed(&key).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let authority = cluster.scratch("tls").join(format!("{port}.pem"));
        std::fs::write(&authority, root.pem()).unwrap();
        let issuer = Issuer::new(params, key);
        let acceptor = name.map(|name| {
            let key = KeyPair::generate().unwrap();
            let own = CertificateParams::new([name.to_owned()]).unwrap();
            let own = own.signed_by(&key, &issuer).unwrap();
            let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(
                    vec![own.der().clone()],
                    PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
                )
                .unwrap();
            TlsAcceptor::from(Arc::new(config))
        });
        let socket = cluster.socket().join(".s.PGSQL.5432");
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                loop {
                    let (client, _) = listener.accept().await.unwrap();
                    let (acceptor, socket) = (acceptor.clone(), socket.clone());
                    tokio::spawn(serve(client, acceptor, socket));
                }
            });
        });
        Self { port, authority }
    }
}

/// One connection; what goes wrong with it is the client's to say.
async fn serve(
    mut client: TcpStream,
    acceptor: Option<TlsAcceptor>,
    socket: PathBuf,
) -> std::io::Result<()> {
    let mut first = [0; 8];
    client.read_exact(&mut first).await?;
    let mut server = UnixStream::connect(socket).await?;
    match acceptor {
        Some(acceptor) if first == REQUEST => {
            client.write_all(b"S").await?;
            let mut client = acceptor.accept(client).await?;
            copy_bidirectional(&mut client, &mut server).await?;
        }
        None if first == REQUEST => {
            client.write_all(b"N").await?;
            copy_bidirectional(&mut client, &mut server).await?;
        }
        // Who does not ask is let in by nobody.
        _ => {}
    }
    Ok(())
}
