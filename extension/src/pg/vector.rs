//! pgvector's type `vector`, as a function result.

use pgrx::callconv::{BoxRet, FcInfo};
use pgrx::{impl_sql_translatable, pg_sys, set_varsize_4b};

/// The elements of a `vector`; at most 16,000.
pub struct Vector(pub Vec<f32>);

impl_sql_translatable!(Vector, "vector");

/// The header in front of the elements, as pgvector 0.5 and later lay it out.
#[repr(C)]
struct Header {
    varlena: i32,
    dimensions: i16,
    unused: i16,
}

const _: () = assert!(size_of::<Header>() == 8);

// SAFETY: the datum is a freshly allocated vector in pgvector's layout, in the
// memory context of the caller, as a result has to be.
unsafe impl BoxRet for Vector {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> pgrx::datum::Datum<'fcx> {
        let dimensions =
            i16::try_from(self.0.len()).expect("a model has at most 16,000 dimensions");
        let size = size_of::<Header>() + size_of_val(self.0.as_slice());
        // SAFETY: palloc0 returns at least `size` bytes, aligned for any type, or
        // raises an error; header and elements are written inside them.
        unsafe {
            let start = pg_sys::palloc0(size);
            set_varsize_4b(start.cast(), size as i32);
            let header = start.cast::<Header>();
            (*header).dimensions = dimensions;
            let elements = start.byte_add(size_of::<Header>()).cast::<f32>();
            elements.copy_from_nonoverlapping(self.0.as_ptr(), self.0.len());
            fcinfo.return_raw_datum(pg_sys::Datum::from(start))
        }
    }
}
