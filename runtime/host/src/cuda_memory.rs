//! CUDA's memory beyond `cudaMalloc` and `cudaMemcpy`: rows with a pitch, memory for both sides,
//! places of symbols.

use super::cuda_error as code;
use super::environment::HostEnvironment;
use super::order::Mode;
use super::properties::PITCH;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;

/// The flag of `cudaHostRegister` that maps the memory for kernels.
const REGISTER_MAPPED: u32 = 2;

impl HostEnvironment<'_> {
    /// Calls a function for memory; `None` for others.
    pub(super) fn memory_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<i32>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c, d) = (get(0), get(1), get(2), get(3));
        Ok(Some(match builtin {
            CudaMallocManaged | CudaMallocHost | CudaHostAlloc => {
                self.malloc_managed(a as u32, b)?
            }
            CudaFreeHost => match self.memory.is_managed(a as u32) || a == 0 {
                true => self.cuda_free(a as u32),
                false => code::INVALID_VALUE,
            },
            CudaHostGetDevicePointer => match self.memory.is_managed(b as u32) {
                true => {
                    self.put_pointer(a as u32, b as u32)?;
                    code::SUCCESS
                }
                false => code::INVALID_VALUE,
            },
            CudaHostRegister if c as u32 & REGISTER_MAPPED != 0 => code::NOT_SUPPORTED,
            CudaHostRegister => {
                self.bytes(a as u32, b, false)?;
                code::SUCCESS
            }
            CudaMallocPitch => {
                let pitch = c.checked_next_multiple_of(PITCH);
                let size = pitch.and_then(|pitch| pitch.checked_mul(d));
                match size {
                    Some(size) => {
                        let error = self.cuda_malloc(a as u32, size)?;
                        self.put_long(b as u32, pitch.unwrap_or(0))?;
                        error
                    }
                    None => code::MEMORY_ALLOCATION,
                }
            }
            CudaMemcpy2D => {
                let [to, to_pitch, from, from_pitch] = [a, b, c, d];
                let (width, height, kind) = (get(4), get(5), get(6) as i32);
                let mode = Mode::of_either(get(7));
                if width > to_pitch || width > from_pitch {
                    return Ok(Some(code::INVALID_PITCH_VALUE));
                }
                let rows = |start: u64, pitch: u64| {
                    move |row: u64| start.wrapping_add(row.wrapping_mul(pitch)) as u32
                };
                let (to, from) = (rows(to, to_pitch), rows(from, from_pitch));
                self.each_row(height, width, |this, row| {
                    this.memcpy(to(row), from(row), width, kind, mode)
                })?
            }
            CudaMemset2D => {
                let (width, height) = (d, get(4));
                if width > b {
                    return Ok(Some(code::INVALID_PITCH_VALUE));
                }
                self.each_row(height, width, |this, row| {
                    let at = a.wrapping_add(row.wrapping_mul(b)) as u32;
                    this.memset(at, c as u8, width, Mode::in_stream(get(5)))
                })?
            }
            CudaGetSymbolAddress => match self.symbol(b as u32, 0, 0) {
                Ok(_) => {
                    self.put_pointer(a as u32, b as u32)?;
                    code::SUCCESS
                }
                Err(error) => error,
            },
            CudaGetSymbolSize => match self.symbol_size(b as u32) {
                Some(size) => self.put_long(a as u32, size)?,
                None => code::INVALID_SYMBOL,
            },
            _ => return Ok(None),
        }))
    }

    /// Applies an operation to every row until one fails. Rows of no bytes are skipped, and every
    /// other row lies in memory, so that there cannot be too many.
    fn each_row(
        &mut self,
        height: u64,
        width: u64,
        mut act: impl FnMut(&mut Self, u64) -> Result<i32, Interrupt>,
    ) -> Result<i32, Interrupt> {
        let height = if width == 0 { 0 } else { height };
        for row in 0..height {
            let error = act(self, row)?;
            if error != code::SUCCESS {
                return Ok(error);
            }
        }
        Ok(code::SUCCESS)
    }

    fn malloc_managed(&mut self, at: u32, size: u64) -> Result<i32, Interrupt> {
        if at == 0 || size == 0 {
            return Ok(code::INVALID_VALUE);
        }
        let Some(address) = self.memory.managed_allocate(size) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.memory.allocated_by(address, self.cuda.call.clone());
        self.put_pointer(at, address)?;
        Ok(code::SUCCESS)
    }

    /// Stores a `size_t`, unless the program passed a null pointer.
    pub(super) fn put_long(&mut self, at: u32, value: u64) -> Result<i32, Interrupt> {
        if at != 0 {
            self.bytes(at, 8, true)?.copy_from_slice(&value.to_le_bytes());
        }
        Ok(code::SUCCESS)
    }
}
