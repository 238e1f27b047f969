//! REST: a file per resource. All of it acts as the caller's person.

mod turns;

use utoipa_axum::router::OpenApiRouter;

use crate::serve::App;

/// All routes under `/v1`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(turns::routes())
}
