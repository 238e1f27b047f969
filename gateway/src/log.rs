//! What is written about what happens, and traces for those who collect them. Neither ever has
//! what people or models said in it.

use std::io::IsTerminal;
use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::filter::{EnvFilter, LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::config::{Log, LogFormat};
use crate::error::Error;

/// How long sending the last traces may take at the end.
const LAST: Duration = Duration::from_secs(1);

/// Keeps traces going out; sends the last of them when dropped.
#[derive(Debug)]
#[must_use]
pub struct Logging(Option<SdkTracerProvider>);

impl Drop for Logging {
    fn drop(&mut self) {
        if let Some(provider) = &self.0 {
            // Whoever collects them may be away: no reason to stay.
            let _ = provider.shutdown_with_timeout(LAST);
        }
    }
}

/// Begins to write, as the settings say.
///
/// # Errors
/// A filter or an address that cannot be taken.
pub fn begin(log: &Log) -> Result<Logging, Error> {
    // These write what they work on, which people and models have said, and secrets.
    let filter = format!("{},html5ever=off,tokio_postgres=warn,genai=error", log.filter);
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| Error::Argument(format!("log.filter: {error}")))?;
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match log.format {
        LogFormat::Json => lines.json().boxed(),
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
    };
    let provider = log.traces.as_deref().map(exporter).transpose()?;
    let traces = provider.as_ref().map(|provider| {
        // Of our own steps alone: others name addresses in theirs, with what is secret in them.
        let ours = Targets::new().with_target("muninn_gateway", LevelFilter::INFO);
        let tracer = provider.tracer("muninn");
        tracing_opentelemetry::layer().with_tracer(tracer).with_filter(ours)
    });
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .with(traces)
        .try_init()
        .map_err(|error| Error::Task(error.to_string()))?;
    Ok(Logging(provider))
}

fn exporter(address: &str) -> Result<SdkTracerProvider, Error> {
    let refused = |problem: String| {
        Error::Setting {
        setting: "log.traces".into(),
        problem,
        remedy: "Name where OpenTelemetry traces are collected by OTLP over HTTP, as http://127.0.0.1:4318.".into(),
    }
    };
    let address = url::Url::parse(address)
        .and_then(|url| url.join("v1/traces"))
        .map_err(|error| refused(error.to_string()))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(address.as_str())
        .build()
        .map_err(|error| refused(error.to_string()))?;
    let resource = Resource::builder().with_service_name("muninn").build();
    Ok(SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build())
}
