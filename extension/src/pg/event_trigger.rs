//! What an event trigger is told.

use std::ffi::CStr;

use pgrx::pg_sys;

/// The extensions that a statement drops, and whether with what depends on them.
pub struct DroppedExtensions {
    pub names: Vec<String>,
    pub cascade: bool,
}

/// What the statement drops that an event trigger was called for; `None` if it
/// drops no extensions, or if this is no call of an event trigger.
///
/// # Safety
/// `call` is what Postgres passed to a function.
pub unsafe fn dropped_extensions(call: pg_sys::FunctionCallInfo) -> Option<DroppedExtensions> {
    // SAFETY: the context of a call is a node or null, and each pointer is cast
    // only to what the tag of its node says.
    unsafe {
        let context = (*call).context;
        if context.is_null() || (*context).type_ != pg_sys::NodeTag::T_EventTriggerData {
            return None;
        }
        let statement = (*context.cast::<pg_sys::EventTriggerData>()).parsetree;
        if statement.is_null() || (*statement).type_ != pg_sys::NodeTag::T_DropStmt {
            return None;
        }
        let drop = &*statement.cast::<pg_sys::DropStmt>();
        if drop.removeType != pg_sys::ObjectType::OBJECT_EXTENSION || drop.objects.is_null() {
            return None;
        }
        let count = usize::try_from((*drop.objects).length).unwrap_or(0);
        let names = (0..count).filter_map(|at| {
            let node = (*(*drop.objects).elements.add(at)).ptr_value.cast::<pg_sys::Node>();
            if node.is_null() || (*node).type_ != pg_sys::NodeTag::T_String {
                return None;
            }
            let name = CStr::from_ptr((*node.cast::<pg_sys::String>()).sval);
            Some(name.to_string_lossy().into_owned())
        });
        Some(DroppedExtensions {
            names: names.collect(),
            cascade: drop.behavior == pg_sys::DropBehavior::DROP_CASCADE,
        })
    }
}
