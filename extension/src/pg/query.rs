//! Running a prepared statement, each row handed on where it lies.
//!
//! pgrx copies all rows of a result before the first can be read, and gives a
//! statement a newer state of the database than its caller has as soon as the
//! transaction has written. A search reads megabytes and must see one state, so
//! it does neither.

use std::ffi::CString;

use pgrx::datum::DatumWithOid;
use pgrx::{FromDatum, pg_guard, pg_sys};

/// A statement that is kept for the session. Postgres itself plans it anew when
/// a table that it uses changes.
#[derive(Clone, Copy)]
pub struct Plan(pg_sys::SPIPlanPtr);

/// Which state of the database a statement sees.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sees {
    /// That of the call it is part of; it cannot write.
    WhatTheCallerSees,
    /// The newest, with what the transaction has written.
    Newest,
}

/// A row of a result, for as long as it is looked at.
pub struct Row<'a>(&'a mut pg_sys::TupleTableSlot);

impl Row<'_> {
    fn datum(&self, ordinal: usize) -> Option<(pg_sys::Datum, bool, pg_sys::Oid)> {
        let slot = std::ptr::from_ref(&*self.0).cast_mut();
        // SAFETY: the executor hands over a valid slot whose descriptor belongs to
        // it; `slot_getsomeattrs_int` fills in values and nulls up to `ordinal`,
        // which is checked against the number of columns.
        unsafe {
            let columns = (*(*slot).tts_tupleDescriptor).natts as usize;
            if ordinal == 0 || ordinal > columns {
                return None;
            }
            if ((*slot).tts_nvalid as usize) < ordinal {
                pg_sys::slot_getsomeattrs_int(slot, ordinal as i32);
            }
            let datum = *(*slot).tts_values.add(ordinal - 1);
            let null = *(*slot).tts_isnull.add(ordinal - 1);
            let oid = pg_sys::SPI_gettypeid((*slot).tts_tupleDescriptor, ordinal as i32);
            Some((datum, null, oid))
        }
    }

    /// A column, from 1; `None` for NULL and for a column of another type.
    pub fn get<T: FromDatum + pgrx::IntoDatum + 'static>(&self, ordinal: usize) -> Option<T> {
        let (datum, null, oid) = self.datum(ordinal)?;
        // SAFETY: the datum is of the type that goes with it; `T` owns what it
        // takes out, so nothing of the row outlives it.
        unsafe { T::try_from_datum(datum, null, oid).ok().flatten() }
    }

    /// The bytes of a column of type `bytea`, where they lie.
    pub fn bytes(&self, ordinal: usize) -> Option<&[u8]> {
        let (datum, null, oid) = self.datum(ordinal)?;
        // SAFETY: as above; the borrow ends with that of the row, before the
        // executor goes on to the next one.
        unsafe { <&[u8]>::try_from_datum(datum, null, oid).ok().flatten() }
    }

    /// The bytes of a column of any type of variable length, as it is stored.
    pub fn stored(&self, ordinal: usize) -> Option<&[u8]> {
        let (datum, null, oid) = self.datum(ordinal)?;
        // SAFETY: as above, for a type without a fixed length, which is asked first.
        unsafe {
            if pg_sys::get_typlen(oid) != -1 {
                return None;
            }
            <&[u8]>::from_datum(datum, null)
        }
    }
}

/// Prepares a statement for arguments of these types, planned once for whatever
/// they are: every statement leads with the keys of a scope, so that one plan is
/// right for all, and to plan a search's statements anew took a third of its time.
pub fn prepare(sql: &str, args: &[DatumWithOid<'_>]) -> Option<Plan> {
    let sql = CString::new(sql).ok()?;
    let mut types: Vec<pg_sys::Oid> = args.iter().map(DatumWithOid::oid).collect();
    // SAFETY: called inside an SPI connection, with as many types as it says.
    unsafe {
        let plan = pg_sys::SPI_prepare_cursor(
            sql.as_ptr(),
            types.len() as i32,
            types.as_mut_ptr(),
            pg_sys::CURSOR_OPT_GENERIC_PLAN as i32,
        );
        if plan.is_null() || pg_sys::SPI_keepplan(plan) != 0 {
            return None;
        }
        Some(Plan(plan))
    }
}

/// Lets go of a plan, which nothing runs any more.
pub fn forget(plan: Plan) {
    // SAFETY: it was kept by `prepare`, and is forgotten once: its owner hands it over.
    unsafe { pg_sys::SPI_freeplan(plan.0) };
}

/// Hands rows to a closure; laid out so that a pointer to the first field is one
/// to the whole.
#[repr(C)]
struct Receiver<'a> {
    head: pg_sys::DestReceiver,
    each: &'a mut dyn FnMut(&Row<'_>) -> bool,
}

#[pg_guard]
unsafe extern "C-unwind" fn receive(
    slot: *mut pg_sys::TupleTableSlot,
    receiver: *mut pg_sys::DestReceiver,
) -> bool {
    // SAFETY: `receiver` is the head of a `Receiver` that `run` keeps on its
    // stack, and the slot is the executor's, valid for this call.
    unsafe {
        let receiver = &mut *receiver.cast::<Receiver<'_>>();
        (receiver.each)(&Row(&mut *slot))
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn start(
    _receiver: *mut pg_sys::DestReceiver,
    _operation: i32,
    _columns: pg_sys::TupleDesc,
) {
}

#[pg_guard]
unsafe extern "C-unwind" fn end(_receiver: *mut pg_sys::DestReceiver) {}

/// Runs a plan and hands each row to `each`, until that says `false`; the
/// result code of SPI, negative for a failure.
pub fn run(
    plan: Plan,
    args: &[DatumWithOid<'_>],
    sees: Sees,
    each: &mut dyn FnMut(&Row<'_>) -> bool,
) -> i32 {
    let mut receiver = Receiver {
        head: pg_sys::DestReceiver {
            receiveSlot: Some(receive),
            rStartup: Some(start),
            rShutdown: Some(end),
            rDestroy: Some(end),
            mydest: pg_sys::CommandDest::DestNone,
        },
        each,
    };
    // SAFETY: called inside an SPI connection with a kept plan; the parameters
    // are as many as `makeParamList` was asked for; the receiver outlives the call.
    unsafe {
        let params = pg_sys::makeParamList(args.len() as i32);
        for (at, arg) in args.iter().enumerate() {
            let param = (*params).params.as_mut_ptr().add(at);
            (*param).isnull = arg.datum().is_none();
            (*param).value = arg.datum().map_or(pg_sys::Datum::from(0), |d| d.sans_lifetime());
            (*param).pflags = pg_sys::PARAM_FLAG_CONST as u16;
            (*param).ptype = arg.oid();
        }
        let options = pg_sys::SPIExecuteOptions {
            params,
            read_only: sees == Sees::WhatTheCallerSees,
            dest: std::ptr::from_mut(&mut receiver).cast(),
            ..Default::default()
        };
        pg_sys::SPI_execute_plan_extended(plan.0, &options)
    }
}
