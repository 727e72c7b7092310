"""Machines and settings."""

import copy
import json

import numpy as np
import pytest

import reconverge


def run(kernels, **keywords):
    return kernels.launch("nothing", 4, 32, **keywords)


def test_a_machine_is_a_dictionary_to_edit(kernels):
    machine = reconverge.machine()
    assert machine["name"] == "gtx480" and machine["l1"]["size"] == 16384
    assert machine == json.loads(json.dumps(machine)) == copy.deepcopy(machine)
    machine["l1"]["size"] = np.int64(32768)
    machine["sms"] = 2
    launch = run(kernels, machine=machine)
    assert launch.machine["l1"]["size"] == 32768 and launch.machine["sms"] == 2
    assert reconverge.machine(machine) == launch.machine
    based = run(kernels, machine={"base": "tiny", "sms": 2})
    assert based.machine["sms"] == 2


def test_settings_and_keywords_say_the_same(kernels):
    wanted = reconverge.machine("tiny", settings={"l1.size": "4K", "sm.warps": 8, "scheduler": "lrr"})
    assert wanted["l1"]["size"] == 4096 and wanted["scheduler"] == "loose-round-robin"
    assert reconverge.machine("tiny", l1_size=4096, sm_warps=8, scheduler="loose-round-robin") == wanted
    assert run(kernels, machine="tiny", l1_size="4K", settings={"sm.warps": 8}, scheduler="lrr").machine == wanted


def test_energy_is_among_the_statistics(kernels):
    assert "energy" not in run(kernels).stats
    with pytest.raises(KeyError, match="`energy` is `none`"):
        run(kernels).stats["energy"]
    stats = run(kernels, energy="counters").stats
    parts = [name for name in stats if name.startswith("energy_") and name != "energy_dynamic"]
    assert stats["energy"] == pytest.approx(sum(stats[name] for name in parts)) and stats["energy"] > 0
    assert (stats.unit("energy"), stats.unit("power")) == ("J", "W")
    with pytest.raises(ValueError, match="no source says what its events cost"):
        run(kernels, machine="fx5800", energy="counters")


def test_options_of_mechanisms():
    machine = reconverge.machine(divergence="warp-subdivision", warp_subdivision_merge=True)
    assert machine["warp-subdivision"] == {"merge": True}


def test_what_has_no_effect_is_warned_of():
    with pytest.warns(UserWarning, match="warp-subdivision"):
        reconverge.machine(warp_subdivision_merge=True)


def test_every_setting_has_a_keyword():
    machine = reconverge.machine()

    def keys(table, path=""):
        for key, value in table.items():
            if isinstance(value, dict):
                yield from keys(value, f"{path}{key}.")
            else:
                yield f"{path}{key}", value

    options = {"machine", "settings", "shared", "symbols", "model", "max_cycles", "check", "threads", "profile"}
    for key, value in keys(machine):
        keyword = key.replace(".", "_").replace("-", "_")
        assert keyword not in options
        assert reconverge.machine(**{keyword: value}) == machine, key


ENDLESS = {"base": "tiny"}
ENDLESS["self"] = ENDLESS


@pytest.mark.parametrize(
    "keywords, error, text",
    [
        ({"machine": "gtx488"}, ValueError, "unknown machine `gtx488`"),
        ({"machine": {}}, ValueError, "an empty dictionary is no machine"),
        ({"machine": {"base": "tiny", "smss": 2}}, ValueError, "smss"),
        ({"machine": {"base": "tiny", "sms": "many"}}, ValueError, "<machine>:2"),
        ({"machine": {"base": "tiny", "sms": None}}, TypeError, "`sms` of a machine is a text, a number"),
        ({"machine": {1: 2}}, TypeError, "the key 1 is no text"),
        ({"machine": 7}, TypeError, "not a `int`"),
        ({"machine": ENDLESS}, ValueError, "no tables as deep as `self.self"),
        ({"machine": {"base": "tiny", "sms": 10**30}}, ValueError, "is no 64-bit number"),
        ({"settings": ["l1.size"]}, TypeError, "`settings` is a dictionary, not a `list`"),
        ({"shared": -1}, ValueError, "`shared`: -1 is no `unsigned int`"),
        ({"max_cycles": 1.5}, TypeError, "`max_cycles`: expected a whole number, found a `float`, 1.5"),
        ({"threads": 300}, ValueError, "`threads` is 300, not from 1 to 256"),
        ({"settings": {"l1.sise": 4}}, ValueError, "did you mean `size`"),
        ({"settings": {"l1.size": [4]}}, ValueError, "`l1.size` is [4]; it must be a whole number"),
        ({"settings": {"l1.size": {"of": 4}}}, TypeError, "setting `l1.size` is a text, a number or a list"),
        ({"settings": {"l1.size": "big"}}, ValueError, "`big` is not a number"),
        ({"settings": {4: 4}}, TypeError, "the key 4 of `settings`"),
        ({"settings": {"sm.warp-width": 65}}, ValueError, "warp"),
        ({"l1_sise": 4}, TypeError, "no setting or option `l1_sise`; did you mean `l1_size`"),
        ({"maxcycles": 4}, TypeError, "did you mean `max_cycles`"),
        ({"l1_size": 4096, "settings": {"l1.size": 4096}}, TypeError, "set twice"),
        ({"scheduler": "fastest"}, ValueError, "fastest"),
    ],
)
def test_faults_are_named(kernels, keywords, error, text):
    with pytest.raises(error) as raised:
        run(kernels, **keywords)
    assert text in str(raised.value)


def test_machine_files(kernels, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "tiny"\nsms = 3\n')
    assert run(kernels, machine=path).machine["sms"] == 3
    assert run(kernels, machine=str(path)).machine["sms"] == 3
    with pytest.raises(ValueError, match="there is no machine file"):
        run(kernels, machine=tmp_path / "other.toml")


def test_lists():
    assert "gtx480" in reconverge.machines() and reconverge.machines()["tiny"]
    assert reconverge.statistics()["cycles"][0] == "cycles"
    assert reconverge.__version__
