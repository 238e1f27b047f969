//! The databases of the cluster, read the way the autovacuum launcher does:
//! without being connected to one.

use pgrx::pg_sys;

/// Oids of the databases that take connections and are no templates. Called in
/// a transaction.
pub fn connectable_databases() -> Vec<pg_sys::Oid> {
    let mut found = Vec::new();
    // SAFETY: pg_database is a shared catalog that can be read without a
    // database; the scan and the lock end below, and every row is read while
    // the scan still holds it.
    unsafe {
        let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
        let catalog = pg_sys::table_open(pg_sys::DatabaseRelationId, lock);
        let scan = pg_sys::table_beginscan_catalog(catalog, 0, std::ptr::null_mut());
        loop {
            let row = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if row.is_null() {
                break;
            }
            let start = (*row).t_data.cast::<u8>();
            let database = start
                .add(usize::from((*(*row).t_data).t_hoff))
                .cast::<pg_sys::FormData_pg_database>();
            if (*database).datallowconn && !(*database).datistemplate {
                found.push((*database).oid);
            }
        }
        if let Some(end) = (*(*catalog).rd_tableam).scan_end {
            end(scan);
        }
        pg_sys::table_close(catalog, lock);
    }
    found
}
