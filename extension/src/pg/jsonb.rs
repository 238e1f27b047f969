//! A `jsonb` that passes through unread, so that nothing of it (the digits of a
//! number, say) changes on the way.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::{FromDatum, IntoDatum, impl_sql_translatable, pg_sys};

/// An argument of type `jsonb`, valid for the call it was passed to.
#[derive(Clone, Copy)]
pub struct Jsonb(pg_sys::Datum);

impl_sql_translatable!(Jsonb, "jsonb");

impl FromDatum for Jsonb {
    unsafe fn from_polymorphic_datum(
        datum: pg_sys::Datum,
        is_null: bool,
        _: pg_sys::Oid,
    ) -> Option<Self> {
        (!is_null).then_some(Self(datum))
    }
}

impl IntoDatum for Jsonb {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        Some(self.0)
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::JSONBOID
    }
}

// SAFETY: the SQL type is jsonb (see above), and the datum is only handed back
// to Postgres, as the type it came with.
unsafe impl<'fcx> ArgAbi<'fcx> for Jsonb {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: the caller vouches for a non-null argument of this type.
        unsafe { arg.unbox_arg_using_from_datum() }.expect("a non-null argument has a datum")
    }
}
