//! The energy costs of events and states: the machine file's `energy` and `[energy-model]`.
//!
//! This file has the values and their ranges. `energy.rs` has the event counts that they are
//! multiplied with.

use reconverge_isa::nearest::hint;
use serde::Deserialize;
use toml::{Table, Value};

use super::rules::Rules;

/// The energy of events and the power of states. A missing value costs nothing: the source has no
/// number for it, or includes it in another one, as the file says. A file with a base replaces its
/// base's `events`, and its `power`, as a whole.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EnergyModel {
    /// The chip's supply voltage, relative to that for which the values hold: above 0, at most 4. Energy of events grows with its
    /// square, leakage in proportion; memory's own supply stays as it is.
    pub voltage: f64,
    /// The energy of an inactive lane of an issued instruction, as a share of an active one's: 0 to
    /// 1.
    pub inactive_lane: f64,
    /// Picojoules for each event.
    pub events: EventEnergies,
    /// Watts in each state.
    pub power: StatePowers,
}

macro_rules! key {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $key:expr) => {
        $key
    };
}

macro_rules! values {
    ($(#[doc = $of:literal])* $type:ident { $($(#[$about:meta])+ $name:ident $(= $key:expr)?,)* }) => {
        $(#[doc = $of])*
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
        pub struct $type {
            $($(#[$about])+ pub $name: Option<f64>,)*
        }

        impl $type {
            /// Every value that the file has, by key.
            fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
                [$((key!($name $($key)?), self.$name),)*]
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value?)))
            }
        }
    };
}

/// The key of [`EventEnergies::local_cache_access`], with `_` for `-`.
pub(crate) const LOCAL_CACHE_ACCESS: &str = "avc_access";

values! {
    /// Energies in picojoules, none negative.
    EventEnergies {
        /// A fetch from the instruction cache that hits.
        instruction_hit,
        /// A fetch that misses in it.
        instruction_miss,
        /// An instruction is buffered and decoded.
        decode,
        /// An instruction that does not access memory is scheduled.
        schedule,
        /// An instruction is issued: all that it takes, as models have it that know no more than how many there are.
        issue,
        /// The pipeline's energy for an active lane.
        pipeline_lane,
        /// A warp's register of 32 bits a lane is read from the register file.
        register_read,
        /// One is written.
        register_write,
        /// A warp's register is read from a level before the banks: a register cache, an operand register file.
        register_cache_read,
        /// One is written there.
        register_cache_write,
        /// One is read from a last result file.
        last_result_read,
        /// One is written there.
        last_result_write,
        /// A warp's register is read from the fast part of a register file with slow banks.
        fast_register_read,
        /// One is written there.
        fast_register_write,
        /// A warp's register is read from a slow bank.
        slow_register_read,
        /// One is written there.
        slow_register_write,
        /// An operand of a warp that is no register passes the operand collector.
        other_operand,
        /// An active lane of a simple integer instruction.
        integer,
        /// An integer multiplication.
        integer_multiply,
        /// An integer division.
        integer_divide,
        /// A 32-bit floating-point addition, multiplication or multiply-add.
        float,
        /// A 32-bit floating-point division.
        float_divide,
        /// A 64-bit floating-point addition, multiplication or multiply-add.
        double,
        /// A 64-bit floating-point division.
        double_divide,
        /// A square root, logarithm, sine and the like.
        special,
        /// The address of a memory access.
        memory,
        /// A control-flow instruction.
        control,
        /// An instruction of an affine warp, or that a scalar or affine unit executes once, is executed.
        affine_instruction,
        /// The line of an affine warp's address is computed, and requested early.
        early_line,
        /// A pass of shared memory.
        shared_pass,
        /// A word of constant memory that hits in its cache.
        constant_hit,
        /// One that misses.
        constant_miss,
        /// A line load that hits in the first level.
        l1_read_hit,
        /// One that misses.
        l1_read_miss,
        /// A line store that is written through.
        l1_write,
        /// A line store to local memory, which stays in the cache.
        l1_local_write,
        /// An access of the slot `local-cache`, a miss or a store included.
        #[serde(rename = "avc-access")]
        local_cache_access = LOCAL_CACHE_ACCESS,
        /// The bytes that a port of the interconnect moves per cycle, or the rest of a packet, pass
        /// it.
        flit,
        /// A line read that hits in the second level.
        l2_read_hit,
        /// One that misses.
        l2_read_miss,
        /// A line write.
        l2_write,
        /// A chip of DRAM opens a row.
        dram_activate,
        /// It closes one.
        dram_precharge,
        /// It reads a burst.
        dram_read,
        /// It writes one.
        dram_write,
        /// It refreshes all banks.
        dram_refresh,
    }
}

values! {
    /// Powers in watts, none negative.
    StatePowers {
        /// Leakage of everything, always; without the register files where `register_on` has theirs.
        leakage,
        /// Leakage of all registers of all SMs, if all are awake.
        register_on,
        /// The same if all sleep: they keep their values at a lower leakage.
        register_asleep,
        /// The same if all are in the fast part of a register file with slow banks.
        register_fast,
        /// The same if all are in slow banks.
        register_slow,
        /// The constant power of the chip's clock and control; it grows with the square of the
        /// voltage.
        clock,
        /// An SM with a resident block, busy or not; it grows with the square of the voltage.
        sm_active,
        /// An SM without one.
        sm_idle,
        /// A chip of DRAM with a row open in some bank.
        dram_active,
        /// One with all banks closed.
        dram_precharged,
    }
}

/// The largest energy and power that a file may give, in picojoules and watts.
const LARGEST: f64 = 1e9;

/// The key that turns the computation of energy on, and the table of its values: TOML has no value
/// and table of one name.
const KEY: &str = "energy";
const TABLE: &str = "energy-model";

/// Both.
pub(super) const KEYS: [&str; 2] = [KEY, TABLE];

impl EnergyModel {
    /// Takes the energy entries out of a machine's table: none if energy is not computed, except
    /// for fixed event costs. Faults of the table are recorded in both cases.
    pub(super) fn take(
        table: &mut Table,
        rules: &mut Rules,
    ) -> (Option<EnergyModel>, Option<EventEnergies>) {
        let name = table.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let setting = table.remove(KEY);
        let given = table.remove(TABLE);
        let is_given = given.is_some();
        let model = given.and_then(|given| EnergyModel::read(given, rules));
        let events = model.as_ref().map(|model| model.events.clone());
        match setting.as_ref().map(Value::as_str) {
            None | Some(Some("none")) => {}
            Some(Some("counters")) if is_given => return (model, events),
            Some(Some("counters")) => rules.fault(
                KEY,
                format!(
                    "`{KEY}` is `counters`, but `{name}` has no `[{TABLE}]`: no source says what its events cost. \
                     Use a machine that has one (gtx480 and those made from it, tiny), or give the table in a \
                     machine file of your own"
                ),
            ),
            Some(Some(other)) => {
                let near = hint(other, ["none", "counters"]);
                rules.fault(KEY, format!("`{KEY}` is `{other}`; known: none, counters{near}"));
            }
            Some(None) => rules.fault(KEY, format!("`{KEY}` must be `none` or `counters`")),
        }
        (None, events)
    }

    fn read(given: Value, rules: &mut Rules) -> Option<EnergyModel> {
        match given.try_into::<EnergyModel>() {
            Ok(model) => {
                model.validate(rules);
                Some(model)
            }
            Err(error) => {
                // The path is only in the text.
                let text = error.to_string();
                let path =
                    text.lines().find_map(|line| line.strip_prefix("in `")?.strip_suffix('`'));
                let key = path.map_or(TABLE.to_owned(), |path| format!("{TABLE}.{path}"));
                rules.fault(&key, format!("`{key}`: {}", error.message().trim_end()));
                None
            }
        }
    }

    /// Checks every value, and notes each that is wrong with its key.
    fn validate(&self, rules: &mut Rules) {
        let mut within = |key: &str, value: f64, least: f64, most: f64| {
            if !value.is_finite() || !(least..=most).contains(&value) {
                let key = format!("energy-model.{key}");
                rules.fault(&key, format!("`{key}` is {value}; it must be {least} to {most}"));
            }
        };
        within("voltage", self.voltage, 0.01, 4.0);
        within("inactive-lane", self.inactive_lane, 0.0, 1.0);
        for (table, (name, value)) in (self.events.given().map(|given| ("events", given)))
            .chain(self.power.given().map(|given| ("power", given)))
        {
            within(&format!("{table}.{}", name.replace('_', "-")), value, 0.0, LARGEST);
        }
    }
}
