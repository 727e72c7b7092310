//! Graphs.

use super::launch::{parameters, performed};
use super::transfer::{Copy3D, from_symbol, to_symbol};
use crate::abi::{Arguments, Callback, Dim3, Host, In, Out, runtime};
use crate::copy::{Copy, Fill, Side};
use crate::device::Launch;
use crate::error::{INVALID_DEVICE_FUNCTION, INVALID_VALUE, Outcome};
use crate::graph::{Graph, Operation};
use crate::state;
use std::collections::BTreeSet;

/// Handles of nodes count from here; a graph has at most as many nodes as there are between graphs.
const NODES: usize = 1 << 20;
const FIRST: usize = 0x5000_0000_0000_0000;

/// `cudaKernelNodeParams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct KernelNode {
    function: usize,
    grid: Dim3,
    block: Dim3,
    shared: u32,
    arguments: Arguments,
    extra: usize,
}

/// `cudaMemsetParams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct FillNode {
    to: usize,
    pitch: usize,
    value: u32,
    size: u32,
    width: usize,
    height: usize,
}

/// `cudaHostNodeParams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct HostNode {
    function: Callback,
    data: usize,
}

/// The number that the nodes of a graph have in their handles.
fn base(graph: usize) -> usize {
    FIRST + (graph & 0xFFF_FFFF) * NODES
}

/// Calls a function with a graph.
fn with<T>(graph: usize, act: impl FnOnce(&mut Graph) -> Outcome<T>) -> Outcome<T> {
    state::device(|device| act(device.streams.graphs.get_mut(&graph).ok_or(INVALID_VALUE)?))
}

/// Adds an operation to a graph.
fn add(
    node: Out<usize>,
    graph: usize,
    dependencies: In<usize>,
    count: usize,
    operation: Operation,
) -> Outcome {
    let mut after = BTreeSet::new();
    for index in 0..count {
        after.insert(dependencies.at(index)?.checked_sub(base(graph)).ok_or(INVALID_VALUE)?);
    }
    let number = with(graph, |graph| graph.add_after(operation, after))?;
    node.put(base(graph) + number)
}

fn launch(node: &KernelNode) -> Outcome<Operation> {
    let kernel = state::with(|state| state.kernel(node.function))?;
    state::device(|device| {
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let parameters = parameters(known, node.arguments)?;
        let (grid, block) = (node.grid.extents(), node.block.extents());
        Ok(Operation::Launch(Launch {
            kernel,
            grid,
            block,
            shared: node.shared.into(),
            parameters,
        }))
    })
}

fn fill(node: &FillNode) -> Outcome<Operation> {
    if !matches!(node.size, 1 | 2 | 4) {
        return Err(INVALID_VALUE);
    }
    let size = node.size as usize;
    let to = Side { start: node.to, pitch: node.pitch, slice: 0 };
    let width = node.width.checked_mul(size).ok_or(INVALID_VALUE)?;
    let (value, height) = (node.value, node.height);
    Ok(Operation::Fill(Fill { to, value, size, width, height, depth: 1 }))
}

/// Makes a graph that can be launched: the operations in their order.
fn instantiate(place: Out<usize>, graph: usize) -> Outcome {
    let handle = state::device(|device| {
        let graph = device.streams.graphs.get(&graph).ok_or(INVALID_VALUE)?;
        let operations = graph.ordered()?;
        let handle = device.streams.handle();
        device.streams.launchable.insert(handle, operations.into());
        Ok(handle)
    })?;
    place.put(handle)
}

runtime! {
    /// Makes a graph.
    fn cudaGraphCreate(graph: Out<usize>, _flags: u32) {
        graph.put(state::device(|device| {
            let handle = device.streams.handle();
            device.streams.graphs.insert(handle, Graph::default());
            Ok(handle)
        })?)
    }

    /// Ends a graph.
    fn cudaGraphDestroy(graph: usize) {
        state::device(|device| {
            device.streams.graphs.remove(&graph).map(drop).ok_or(INVALID_VALUE)
        })
    }

    /// Copies a graph.
    fn cudaGraphClone(clone: Out<usize>, graph: usize) {
        clone.put(state::device(|device| {
            let copy = device.streams.graphs.get(&graph).ok_or(INVALID_VALUE)?.clone();
            let handle = device.streams.handle();
            device.streams.graphs.insert(handle, copy);
            Ok(handle)
        })?)
    }

    /// Adds a launch.
    fn cudaGraphAddKernelNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<KernelNode>,
    ) {
        add(node, graph, after, count, launch(&kernel.get()?)?)
    }

    /// Adds a copy of slices of rows.
    fn cudaGraphAddMemcpyNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, copy: In<Copy3D>,
    ) {
        add(node, graph, after, count, Operation::Copy(copy.get()?.copy()?))
    }

    /// Adds a copy of bytes.
    fn cudaGraphAddMemcpyNode1D(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, to: usize, from: usize, size: usize,
        kind: i32,
    ) {
        add(node, graph, after, count, Operation::Copy(Copy::line(to, from, size, kind)))
    }

    /// Adds a copy to a symbol.
    fn cudaGraphAddMemcpyNodeToSymbol(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, to: usize, from: usize, size: usize,
        offset: usize, kind: i32,
    ) {
        add(node, graph, after, count, to_symbol(to, from, size, offset, kind)?)
    }

    /// Adds a copy from a symbol.
    fn cudaGraphAddMemcpyNodeFromSymbol(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, to: usize, from: usize, size: usize,
        offset: usize, kind: i32,
    ) {
        add(node, graph, after, count, from_symbol(to, from, size, offset, kind)?)
    }

    /// Adds a fill.
    fn cudaGraphAddMemsetNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, value: In<FillNode>,
    ) {
        add(node, graph, after, count, fill(&value.get()?)?)
    }

    /// Adds a call of a function of the host.
    fn cudaGraphAddHostNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, call: In<HostNode>,
    ) {
        let HostNode { function, data } = call.get()?;
        add(node, graph, after, count, Operation::Host(function, data))
    }

    /// Adds a node that does nothing.
    fn cudaGraphAddEmptyNode(node: Out<usize>, graph: usize, after: In<usize>, count: usize) {
        add(node, graph, after, count, Operation::Nothing)
    }

    /// Adds the record of an event.
    fn cudaGraphAddEventRecordNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, event: usize,
    ) {
        state::device(|device| device.streams.check_event(event))?;
        add(node, graph, after, count, Operation::Record(event))
    }

    /// Has nodes follow others; CUDA 13 passes data of the edges before their number.
    fn cudaGraphAddDependencies(
        graph: usize, from: In<usize>, to: In<usize>, count: usize, last: usize,
    ) {
        let count = if super::properties::is_cuda_13() { last } else { count };
        for index in 0..count {
            let number = |handle: usize| handle.checked_sub(base(graph)).ok_or(INVALID_VALUE);
            let (on, node) = (number(from.at(index)?)?, number(to.at(index)?)?);
            with(graph, |graph| graph.depend(node, on))?;
        }
        Ok(())
    }

    /// The nodes of a graph.
    fn cudaGraphGetNodes(graph: usize, nodes: Host, count: Out<usize>) {
        let known = with(graph, |graph| Ok(graph.len()))?;
        if nodes.0 != 0 {
            let most = count.get()?.min(known);
            for (index, place) in nodes.write(8 * most)?.chunks_exact_mut(8).enumerate() {
                place.copy_from_slice(&(base(graph) + index).to_le_bytes());
            }
        }
        count.put(known)
    }

    /// Makes a graph that can be launched.
    fn cudaGraphInstantiate(place: Out<usize>, graph: usize) {
        instantiate(place, graph)
    }

    /// Makes a graph that can be launched.
    fn cudaGraphInstantiateWithFlags(place: Out<usize>, graph: usize, _flags: u64) {
        instantiate(place, graph)
    }

    /// Replaces the operations of a graph that can be launched.
    fn cudaGraphExecUpdate(launchable: usize, graph: usize, _first: Host, _second: Host) {
        state::device(|device| {
            let operations = device.streams.graphs.get(&graph).ok_or(INVALID_VALUE)?.ordered()?;
            let place = device.streams.launchable.get_mut(&launchable).ok_or(INVALID_VALUE)?;
            *place = operations.into();
            Ok(())
        })
    }

    /// Performs the operations of a graph in their order.
    fn cudaGraphLaunch(launchable: usize, stream: usize) {
        let operations = state::device(|device| {
            device.streams.wait(stream)?;
            device.streams.launchable.get(&launchable).cloned().ok_or(INVALID_VALUE)
        })?;
        operations.iter().try_for_each(performed)
    }

    /// Graphs are where they are needed.
    fn cudaGraphUpload(launchable: usize, stream: usize) {
        state::device(|device| {
            device.streams.check(stream)?;
            device.streams.launchable.get(&launchable).map(drop).ok_or(INVALID_VALUE)
        })
    }

    /// Ends a graph that can be launched.
    fn cudaGraphExecDestroy(launchable: usize) {
        state::device(|device| {
            device.streams.launchable.remove(&launchable).map(drop).ok_or(INVALID_VALUE)
        })
    }
}
