//! Holds no code: its manifest states the features that packages of the workspace share.
