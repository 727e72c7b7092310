//! CUDA's streams and events. Operations are complete when their call returns, so there is nothing
//! to wait for; a checker of the run receives the waits.

use super::allocation::CudaCall;
use super::cuda_error as code;
use super::environment::HostEnvironment;
use super::order::{HostAct, Mode, Transfer, Wait};
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use std::ops::Range;

/// Size of the object that a `cudaEvent_t` points to, in bytes.
const EVENT_SIZE: u64 = 8;
/// Size of the object that a `cudaStream_t` points to, in bytes.
const STREAM_SIZE: u64 = 8;
/// The last of the streams that are numbers: 0, `cudaStreamLegacy`, `cudaStreamPerThread`.
const LAST_FIXED_STREAM: u32 = 2;
/// The flag of a stream that the default stream does not wait for.
const NON_BLOCKING: u32 = 1;

impl HostEnvironment<'_> {
    /// Calls a function for streams or events; `None` for others.
    pub(super) fn order_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<i32>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c) = (get(0) as u32, get(1) as u32, get(2) as u32);
        let (error, act) = match builtin {
            CudaEventCreate => return self.event_create(a).map(Some),
            CudaEventRecord => match self.stream_check(b) {
                code::SUCCESS => (self.event_record(a), HostAct::Recorded { event: a, stream: b }),
                error => return Ok(Some(error)),
            },
            CudaEventSynchronize => (self.event_check(a), HostAct::HostWaits(Wait::Event(a))),
            CudaEventElapsedTime => return self.event_elapsed(a, b, c).map(Some),
            CudaEventDestroy => return Ok(Some(self.event_destroy(a))),
            CudaStreamCreate => return self.stream_create(a, b).map(Some),
            CudaStreamDestroy => return Ok(Some(self.stream_destroy(a))),
            CudaStreamSynchronize => (self.stream_check(a), HostAct::HostWaits(Wait::Stream(a))),
            CudaStreamWaitEvent => match self.stream_check(a) {
                code::SUCCESS => {
                    (self.event_check(b), HostAct::StreamWaits { stream: a, event: b })
                }
                error => return Ok(Some(error)),
            },
            CudaDeviceSynchronize | CudaDeviceReset => {
                (code::SUCCESS, HostAct::HostWaits(Wait::Device))
            }
            _ => return Ok(None),
        };
        if error == code::SUCCESS {
            self.tell(&act);
        }
        Ok(Some(error))
    }

    /// Notifies the checker of an action of the host.
    pub(super) fn tell(&mut self, act: &HostAct) {
        if self.is_watched {
            self.device.host_acts(act, self.memory);
        }
    }

    /// Notifies the checker of device memory that the current call has copied from or to.
    pub(super) fn tell_transfer(
        &mut self,
        mode: Mode,
        from: Option<Range<u32>>,
        to: Option<Range<u32>>,
        host_waits: bool,
    ) {
        // Among the copies without a stream, the host does not wait for those within the device.
        let stays = |range: &Option<Range<u32>>| {
            range.as_ref().is_some_and(|range| !self.memory.is_managed(range.start))
        };
        let within = stays(&from) && stays(&to);
        let host_waits = host_waits || !(mode.asynchronous || within);
        self.tell_done(mode, from, to, false, host_waits);
    }

    /// Notifies the checker of device memory that the current call has filled.
    pub(super) fn tell_fill(&mut self, mode: Mode, to: Option<Range<u32>>, host_waits: bool) {
        self.tell_done(mode, None, to, true, host_waits);
    }

    fn tell_done(
        &mut self,
        mode: Mode,
        from: Option<Range<u32>>,
        to: Option<Range<u32>>,
        fills: bool,
        host_waits: bool,
    ) {
        if let Some(CudaCall { span, .. }) = &self.cuda.call {
            let (stream, span) = (mode.stream, *span);
            let transfer = Transfer { stream, from, to, fills, host_waits, span };
            self.tell(&HostAct::Transferred(transfer));
        }
    }

    fn event_create(&mut self, at: u32) -> Result<i32, Interrupt> {
        let Some(event) = self.memory.host().allocate(EVENT_SIZE) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.cuda.events.insert(event, None);
        self.put_pointer(at, event)?;
        Ok(code::SUCCESS)
    }

    fn event_record(&mut self, event: u32) -> i32 {
        let now = self.cuda.clock();
        match self.cuda.events.get_mut(&event) {
            Some(time) => {
                *time = Some(now);
                code::SUCCESS
            }
            None => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn event_check(&self, event: u32) -> i32 {
        match self.cuda.events.contains_key(&event) {
            true => code::SUCCESS,
            false => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn event_elapsed(&mut self, at: u32, start: u32, stop: u32) -> Result<i32, Interrupt> {
        let time = |event| self.cuda.events.get(event).copied().flatten();
        let (Some(start), Some(stop)) = (time(&start), time(&stop)) else {
            return Ok(code::INVALID_RESOURCE_HANDLE);
        };
        let nanoseconds = stop as i64 - start as i64;
        let milliseconds = (nanoseconds as f64 / 1e6) as f32;
        self.put_int(at, milliseconds.to_bits())
    }

    fn event_destroy(&mut self, event: u32) -> i32 {
        if self.cuda.events.remove(&event).is_none() {
            return code::INVALID_RESOURCE_HANDLE;
        }
        // The host's memory provided the address only as a name.
        self.memory.host().free(event);
        code::SUCCESS
    }

    fn stream_create(&mut self, at: u32, flags: u32) -> Result<i32, Interrupt> {
        let Some(stream) = self.memory.host().allocate(STREAM_SIZE) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.cuda.streams.insert(stream);
        self.put_pointer(at, stream)?;
        if let Some(CudaCall { span, .. }) = &self.cuda.call {
            let (blocking, span) = (flags & NON_BLOCKING == 0, *span);
            self.tell(&HostAct::Created { stream, blocking, span });
        }
        Ok(code::SUCCESS)
    }

    /// Checks that this is a stream; the first numbers are the predefined ones.
    pub(super) fn stream_check(&self, stream: u32) -> i32 {
        match stream <= LAST_FIXED_STREAM || self.cuda.streams.contains(&stream) {
            true => code::SUCCESS,
            false => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn stream_destroy(&mut self, stream: u32) -> i32 {
        if !self.cuda.streams.remove(&stream) {
            return code::INVALID_RESOURCE_HANDLE;
        }
        self.memory.host().free(stream);
        code::SUCCESS
    }
}
