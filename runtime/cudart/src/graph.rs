//! Graphs: operations that are performed in order whenever the graph is launched.
//!
//! A graph that is captured has the order in which its operations were issued. One that is built node by node has an order
//! that respects the dependencies: a node can depend only on nodes that were there before it, unless `cudaGraphAddDependencies`
//! adds more.

use crate::abi::{Callback, StreamCallback};
use crate::copy::{Copy, Fill};
use crate::device::{Device, Launch, Ran};
use crate::error::{INVALID_VALUE, Outcome};
use std::collections::BTreeSet;

/// An operation of the device or of the host.
#[derive(Clone)]
pub enum Operation {
    /// A kernel.
    Launch(Launch),
    /// A copy.
    Copy(Copy),
    /// A fill.
    Fill(Fill),
    /// The record of an event.
    Record(usize),
    /// A function of the host, with its argument.
    Host(Callback, usize),
    /// The same in the form of `cudaStreamAddCallback`, with the stream.
    StreamCallback(StreamCallback, usize, usize),
    /// Nothing, for dependencies.
    Nothing,
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Operation::Launch(_) => "Launch",
            Operation::Copy(_) => "Copy",
            Operation::Fill(_) => "Fill",
            Operation::Record(_) => "Record",
            Operation::Host(..) | Operation::StreamCallback(..) => "Host",
            Operation::Nothing => "Nothing",
        })
    }
}

/// Operations and their dependencies.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    operation: Operation,
    after: BTreeSet<usize>,
}

impl Graph {
    /// Adds an operation that follows the last one; the result is the number of its node.
    pub fn add(&mut self, operation: Operation) -> usize {
        let after = self.nodes.len().checked_sub(1).into_iter().collect();
        self.nodes.push(Node { operation, after });
        self.nodes.len() - 1
    }

    /// Adds an operation that follows some nodes.
    ///
    /// # Errors
    /// There is no such node.
    pub fn add_after(&mut self, operation: Operation, after: BTreeSet<usize>) -> Outcome<usize> {
        if after.iter().any(|&node| node >= self.nodes.len()) {
            return Err(INVALID_VALUE);
        }
        self.nodes.push(Node { operation, after });
        Ok(self.nodes.len() - 1)
    }

    /// Has one node follow another.
    ///
    /// # Errors
    /// There is no such node.
    pub fn depend(&mut self, node: usize, on: usize) -> Outcome {
        let count = self.nodes.len();
        let node = self.nodes.get_mut(node).filter(|_| on < count).ok_or(INVALID_VALUE)?;
        node.after.insert(on);
        Ok(())
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The operations in an order that respects the dependencies; among those that are free, the one that was added first.
    ///
    /// # Errors
    /// Nodes depend on each other in a circle.
    pub fn ordered(&self) -> Outcome<Vec<Operation>> {
        let mut done = BTreeSet::new();
        let mut order = Vec::new();
        while done.len() < self.nodes.len() {
            let is_free = |at: &usize| !done.contains(at) && self.nodes[*at].after.is_subset(&done);
            let next = (0..self.nodes.len()).find(is_free).ok_or(INVALID_VALUE)?;
            done.insert(next);
            order.push(self.nodes[next].operation.clone());
        }
        Ok(order)
    }
}

impl Device {
    /// Performs an operation of the device.
    ///
    /// # Errors
    /// Those of the operation.
    pub fn perform(&mut self, operation: &Operation) -> Outcome<Ran> {
        match operation {
            Operation::Launch(launch) => return self.launch(launch),
            Operation::Copy(copy) => self.copy(copy)?,
            Operation::Fill(fill) => self.fill(fill)?,
            Operation::Record(event) => self.streams.record_at(*event, self.clock),
            // The caller calls functions of the host, without the lock.
            Operation::Host(..) | Operation::StreamCallback(..) | Operation::Nothing => {}
        }
        Ok(Ran::Ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(graph: &Graph) -> Vec<usize> {
        let number = |operation: Operation| match operation {
            Operation::Record(number) => number,
            _ => usize::MAX,
        };
        graph.ordered().unwrap().into_iter().map(number).collect()
    }

    #[test]
    fn nodes_follow_what_they_depend_on() {
        let mut graph = Graph::default();
        for number in 0..4 {
            graph.add_after(Operation::Record(number), BTreeSet::new()).unwrap();
        }
        graph.depend(0, 3).unwrap();
        graph.depend(3, 1).unwrap();
        assert_eq!(order(&graph), [1, 2, 3, 0]);
        assert_eq!(graph.depend(0, 9), Err(INVALID_VALUE));
        graph.depend(1, 0).unwrap();
        assert!(graph.ordered().is_err());
    }

    #[test]
    fn captured_operations_keep_their_order() {
        let mut graph = Graph::default();
        (0..3).for_each(|number| {
            graph.add(Operation::Record(number));
        });
        assert_eq!(order(&graph), [0, 1, 2]);
    }
}
