//! Memory that grows at its end while others read: the rows of an index.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An array of fixed capacity. What was appended never changes and never moves, so readers need no lock.
pub struct Column<T: Copy> {
    memory: Memory,
    start: NonNull<T>,
    capacity: usize,
    /// Elements that readers may see; stored with Release after they were written.
    length: AtomicUsize,
    appending: Mutex<()>,
}

// SAFETY: the elements below `length` are never written again, those above only under `appending`, and the
// memory is freed when nobody borrows the column any more.
unsafe impl<T: Copy + Send> Send for Column<T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Send + Sync> Sync for Column<T> {}

impl<T: Copy> Column<T> {
    /// None where there is no memory for `capacity` elements.
    pub fn new(capacity: usize) -> Option<Self> {
        let layout = Layout::array::<T>(capacity).ok()?.align_to(CACHE_LINE).ok()?;
        let memory = Memory::new(layout)?;
        let start = memory.start.cast();
        Some(Self { memory, start, capacity, length: AtomicUsize::new(0), appending: Mutex::new(()) })
    }

    /// Adds elements at the end. Panics when they exceed the capacity.
    pub fn append(&self, values: &[T]) {
        let _alone = self.appending.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let length = self.length.load(Ordering::Relaxed);
        assert!(values.len() <= self.capacity - length, "the column is full");
        // SAFETY: the target lies within the allocation by the assertion above, and nobody reads or writes
        // it: readers stop at `length`, other writers wait for the lock. The source is another object.
        unsafe {
            let end = self.start.as_ptr().add(length);
            std::ptr::copy_nonoverlapping(values.as_ptr(), end, values.len());
        }
        self.length.store(length + values.len(), Ordering::Release);
    }

    /// All elements appended so far.
    pub fn values(&self) -> &[T] {
        let length = self.length.load(Ordering::Acquire);
        // SAFETY: the elements below `length` were written before it was stored and don't change while `self`
        // is borrowed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), length) }
    }

    /// Size of the allocation in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.layout.size()
    }
}

/// So that no row of 64 bytes lies in two cache lines.
const CACHE_LINE: usize = 64;

/// From here on memory comes from the system itself, which gets it back as soon as it is freed, whatever an
/// allocator would keep.
#[cfg(unix)]
const MAP_FROM: usize = 256 * 1024;

/// An uninitialised allocation.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    /// What `mmap` returned and its length.
    #[cfg(unix)]
    mapped: Option<(NonNull<u8>, usize)>,
}

impl Memory {
    fn new(layout: Layout) -> Option<Self> {
        #[cfg(unix)]
        if layout.size() >= MAP_FROM {
            return Self::map(layout);
        }
        if layout.size() == 0 {
            let start = NonNull::without_provenance(std::num::NonZero::new(layout.align())?);
            return Some(Self {
                start,
                layout,
                #[cfg(unix)]
                mapped: None,
            });
        }
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        Some(Self {
            start,
            layout,
            #[cfg(unix)]
            mapped: None,
        })
    }

    /// From 2 MiB on aligned to huge pages and marked for them, since a scan of small pages is a fifth to a
    /// third slower.
    #[cfg(unix)]
    fn map(layout: Layout) -> Option<Self> {
        const HUGE_PAGE: usize = 2 * 1024 * 1024;
        let huge = layout.size() >= HUGE_PAGE;
        let length = layout.size().checked_add(if huge { HUGE_PAGE } else { 0 })?;
        // SAFETY: a new private mapping touches no other memory.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return None;
        }
        let mapped = NonNull::new(address.cast::<u8>())?;
        let padding = if huge { mapped.as_ptr().align_offset(HUGE_PAGE) } else { 0 };
        // SAFETY: the padding is less than a huge page, and the mapping is longer than the layout by one.
        let start = unsafe { mapped.add(padding) };
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if huge {
            // A refusal costs only speed.
            // SAFETY: the range lies within the mapping made above.
            unsafe { libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE) };
        }
        Some(Self { start, layout, mapped: Some((mapped, length)) })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some((start, length)) = self.mapped {
            // SAFETY: exactly what `mmap` returned; nobody borrows it any more.
            unsafe { libc::munmap(start.as_ptr().cast(), length) };
            return;
        }
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout in `new`.
            unsafe { std::alloc::dealloc(self.start.as_ptr(), self.layout) };
        }
    }
}
