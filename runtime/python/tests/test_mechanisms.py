"""Mechanisms in Python: as those of Rust where both exist, and their faults."""

import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

import reconverge

pytestmark = pytest.mark.filterwarnings("ignore::reconverge.SpeedWarning")

PROGRAM = r"""
__global__ void sums(float *out, const float *in, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += in[(i * stride + k * 37) % n];
    if (i % 3 == 0)
        sum *= in[(i * 7) % n];
    out[i] = sum;
}

__global__ void blocks(int *data, int n)
{
    __shared__ int part[128];
    for (int turn = 0; turn < 4; turn++) {
        part[threadIdx.x] = data[(blockIdx.x * blockDim.x + threadIdx.x + turn * 64) % n];
        __syncthreads();
        for (int half = 64; half > 0; half /= 2) {
            if (threadIdx.x < half)
                part[threadIdx.x] += part[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0)
            atomicAdd(&data[n + turn], part[0]);
        __syncthreads();
    }
}

__global__ void walk(int *next, int *out, int steps)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < steps + at % 5; k++)
        at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
"""


class RoundRobin(reconverge.Scheduler):
    looks_ahead = False

    def __init__(self):
        self.next = 0

    def pick(self, ready, view):
        return next((it for it in ready if it >= self.next), ready[0])

    def on_issued(self, candidate, instruction):
        self.next = (candidate + 1) % 128


class Greedy(reconverge.Scheduler):
    last = 0

    def pick(self, ready, view):
        assert all(view.next(it) is not None and view.stall(it) for it in ready)
        if self.last in ready:
            return self.last
        ages = view.ages
        oldest = min(ready, key=lambda it: ages[it])
        assert oldest == view.oldest(ready)
        return oldest

    def on_issued(self, candidate, instruction):
        assert instruction.pc >= 0 and isinstance(instruction.hints, dict)
        self.last = candidate


class Lru(reconverge.Replacement):
    def __init__(self):
        self.used = [[0] * self.ways for _ in range(self.sets)]
        self.first = self.last = 0

    def touch(self, access, way):
        self.last += 1
        self.used[access.set][way] = self.last

    def place(self, access, way):
        self.touch(access, way)

    def place_last(self, access, way):
        self.first -= 1
        self.used[access.set][way] = self.first

    def victim(self, access, offered):
        used = self.used[access.set]
        return min(offered, key=lambda way: used[way])


class Everything(reconverge.Allocation):
    def allocates(self, access, has_way):
        return True


class NextLine(reconverge.Prefetcher):
    def step(self, load, address, line):
        return line


@pytest.fixture(scope="module")
def module():
    return reconverge.compile(PROGRAM, name="mechanisms.cu")


def launches(module, **keywords):
    """Three kernels: statistics and results of each."""
    random = np.random.default_rng(1)
    found = []
    values, out = random.standard_normal(4096, np.float32), np.zeros(1024, np.float32)
    launch = module.launch("sums", 8, 128, out, values, 4096, 5, **keywords)
    found.append((dict(launch.stats), launch.memory))
    assert bool(launch.mechanisms) == any(isinstance(it, type) for it in keywords.get("settings", {}).values())
    data = random.integers(0, 9, 516, np.int32)
    launch = module.launch("blocks", 6, 128, data, 512, **keywords)
    found.append((dict(launch.stats), launch.memory))
    order, ends = random.permutation(1024).astype(np.int32), np.zeros(512, np.int32)
    launch = module.launch("walk", 4, 128, order, ends, 6, **keywords)
    found.append((dict(launch.stats), launch.memory))
    return found


@pytest.mark.parametrize("machine", ["tiny", "gtx480", "h100"])
@pytest.mark.parametrize(
    "settings, same",
    [
        ({"scheduler": RoundRobin}, {"scheduler": "loose-round-robin"}),
        ({"scheduler": Greedy}, {"scheduler": "greedy-then-oldest"}),
        ({"l1.replacement": Lru}, {"l1.replacement": "lru"}),
        ({"l2.replacement": Lru, "constant.replacement": Lru}, {"l2.replacement": "lru", "constant.replacement": "lru"}),
        ({"allocation": Everything, "l2.allocation": Everything}, {"allocation": "all", "l2.allocation": "all"}),
        ({"prefetcher": NextLine.using(degree=2)}, {"prefetcher": "next-line", "next-line.degree": 2}),
    ],
    ids=["round-robin", "greedy", "lru", "lru-of-l2", "all", "next-line"],
)
def test_rewritten_mechanisms_have_the_same_statistics(module, machine, settings, same):
    assert launches(module, machine=machine, settings=settings) == launches(module, machine=machine, settings=same)


class Youngest(reconverge.Scheduler):
    def pick(self, ready, view):
        return view.youngest(ready)


class Nothing(reconverge.Allocation):
    passes_reads = True

    def allocates(self, access, has_way):
        return access.requester.warp is None


class First(reconverge.Replacement):
    def victim(self, access, offered):
        return offered[0]


class Far(reconverge.Prefetcher):
    distance = 3

    def step(self, load, address, line):
        return 2 * line if load.pc % 2 else None


ALL = {"scheduler": Youngest, "allocation": Nothing, "l2.allocation": Nothing, "l1.replacement": First, "prefetcher": Far}


@pytest.mark.parametrize("machine", ["tiny", "gtx480", "v100"])
def test_memory_is_that_of_the_interpreter(module, machine):
    memories = lambda **keywords: [memory for _, memory in launches(module, machine=machine, **keywords)]
    expected = memories(model="reference")
    for key, value in ALL.items():
        assert memories(settings={key: value}) == expected, key
    assert memories(settings=ALL) == expected


def test_objects_know_their_place(module):
    class Placed(reconverge.Scheduler):
        limit = 3

        def __init__(self):
            self.seen = self.shared.setdefault("objects", [])
            self.seen.append(self.scheduler)
            self.picks = 0

        def pick(self, ready, view):
            self.picks += 1
            return view.oldest(ready)

    launch = run(module, Placed.using(limit=7), machine="gtx480")
    assert all(it.limit == 7 and it.machine["name"] == "gtx480" and it.seen == [0, 1] for it in launch.mechanisms)
    assert {(it.sm, it.scheduler) for it in launch.mechanisms} == {(sm, at) for sm in range(15) for at in (0, 1)}
    assert sum(it.picks for it in launch.mechanisms) >= launch.stats["warp_instructions"]
    assert run(module, "lrr").mechanisms == []


def run(module, scheduler, **keywords):
    keywords.setdefault("machine", "tiny")
    values, out = np.ones(4096, np.float32), np.zeros(2048, np.float32)
    return module.launch("sums", 16, 128, out, values, 4096, 5, scheduler=scheduler, **keywords)


def test_events_arrive(module):
    seen = []

    class Listening(reconverge.Scheduler):
        def pick(self, ready, view):
            return ready[0]

        def on_left(self, candidate, reason):
            seen.append(reason)

        def on_missed(self, candidate, line, now):
            seen.append("missed")

        def on_choosing(self, accesses):
            seen.append("choosing")

        def on_branched_backward(self, candidate, pc, hints, now):
            seen.append("backward")

    run(module, Listening)
    assert {"memory", "end", "missed", "choosing"} <= set(seen)

    class Watching(reconverge.Allocation):
        def allocates(self, access, has_way):
            return has_way

        def on_line_hit(self, access, way):
            seen.append(("hit", way, access.set))

        def on_warp_arrived(self, warp, scheduler, age, registers, now):
            seen.append("arrived")

    run(module, "lrr", allocation=Watching)
    assert "arrived" in seen and any(it[0] == "hit" for it in seen)


def test_exceptions_end_the_launch(module):
    class Fails(reconverge.Scheduler):
        def pick(self, ready, view):
            if view.now > 100:
                return self.missing
            return ready[0]

    out = np.zeros(2048, np.float32)
    with pytest.raises(AttributeError, match="missing") as raised:
        module.launch("sums", 16, 128, out, np.ones(4096, np.float32), 4096, 5, scheduler=Fails, machine="tiny")
    assert raised.traceback[-1].name == "pick" and not out.any()

    class FailsAtOnce(Fails):
        def __init__(self):
            raise ZeroDivisionError("at once")

    with pytest.raises(ZeroDivisionError, match="at once"):
        run(module, FailsAtOnce)

    class FailsLater(reconverge.Scheduler):
        pick = Fails.pick

        def on_issued(self, candidate, instruction):
            raise KeyError("later")

    with pytest.raises(KeyError, match="later"):
        run(module, FailsLater)


def returning(kind, method, value):
    return type("Wrong", (kind,), {method: lambda self, *arguments: value})


@pytest.mark.parametrize(
    "key, wrong, error, text",
    [
        ("scheduler", returning(reconverge.Scheduler, "pick", 99), ValueError, "returned 99, not one of the ready candidates"),
        ("scheduler", returning(reconverge.Scheduler, "pick", -1), TypeError, "returned -1, not a candidate or None"),
        ("scheduler", returning(reconverge.Scheduler, "pick", "0"), TypeError, "returned '0', not a candidate or None"),
        ("l1.replacement", returning(reconverge.Replacement, "victim", 4096), ValueError, "not one of the offered ways"),
        ("l1.replacement", returning(reconverge.Replacement, "victim", None), TypeError, "returned None, not a way"),
        ("allocation", returning(reconverge.Allocation, "allocates", None), TypeError, "not True or False"),
        ("prefetcher", returning(reconverge.Prefetcher, "step", 1.5), TypeError, "returned 1.5, not bytes or None"),
    ],
)
def test_wrong_answers_are_errors(module, key, wrong, error, text):
    with pytest.raises(error) as raised:
        launches(module, machine="tiny", settings={key: wrong})
    assert "Wrong" in str(raised.value) and text in str(raised.value)


def test_pools_and_owners(module):
    class Pooled(reconverge.Scheduler):
        replay_queue = 8
        members = (0, 1, 2, 500)
        owned = (1000,)

        def pick(self, ready, view):
            return next((it for it in ready if it in self.members), None)

        def on_left(self, candidate, reason):
            if candidate in self.members:
                self.members = (*(it for it in self.members if it != candidate), max(self.members[:3]) + 1)
            self.members = tuple(range(128))

        def owner(self):
            return self.owned

        def pool(self):
            return self.members

    assert run(module, Pooled.using(owned=None)).cycles > 0
    assert run(module, Pooled.using(members=tuple(range(200)), owned=None), machine="gtx480").cycles > 0
    with pytest.raises(TypeError, match="`Pooled.owner` returned 3, not None"):
        run(module, Pooled.using(owned=3))
    with pytest.raises(ValueError, match="`Pooled.replay_queue` is 5000"):
        run(module, Pooled.using(replay_queue=5000))


def test_a_scheduler_that_never_picks(module):
    class Never(reconverge.Scheduler):
        def pick(self, ready, view):
            return None

    with pytest.raises(reconverge.KernelError):
        run(module, Never, max_cycles=100_000)


@pytest.mark.parametrize(
    "key, given, text",
    [
        ("divergence", RoundRobin, "`divergence` takes no class of Python; these slots do: scheduler, replacement"),
        ("scheduler", Lru, "`scheduler` takes a class of `reconverge.Scheduler`, which `Lru` is not"),
        ("scheduler", reconverge.Scheduler, "`Scheduler` has no method `pick`"),
        ("scheduler", RoundRobin.__new__(RoundRobin), "takes the class `RoundRobin`, not an object of it"),
        ("scheduler", int, "not a `type`"),
    ],
)
def test_classes_that_do_not_fit(key, given, text):
    with pytest.raises(TypeError) as raised:
        reconverge.machine("tiny", settings={key: given})
    assert text in str(raised.value)


def test_attributes_that_do_not_fit():
    with pytest.raises(TypeError, match="no class attribute `perod`"):
        RoundRobin.using(perod=3)
    with pytest.raises(ValueError, match="`NextLine`: `lines` is 0"):
        reconverge.machine("tiny", prefetcher=NextLine.using(lines=0))
    with pytest.raises(ValueError, match="`Greedy.replay_queue` cannot be 'many'"):
        reconverge.machine("tiny", scheduler=Greedy.using(replay_queue="many"))


def test_the_name_in_a_machine_has_the_digest_of_the_source():
    name = lambda given: reconverge.machine("tiny", scheduler=given)["scheduler"]
    assert name(Greedy).startswith("greedy-") and len(name(Greedy)) == len("greedy-") + 16
    assert len({name(Greedy), name(RoundRobin), name(Greedy.using(last=3)), name(Greedy.using(last=4))}) == 4
    assert name(Greedy.using(last=3)) == name(Greedy.using(last=3))
    machine = reconverge.machine("tiny", scheduler=Greedy)
    assert reconverge.machine(machine) == machine
    assert reconverge.machine({"base": "tiny", "scheduler": Greedy})["scheduler"] == machine["scheduler"]


def test_it_says_once_that_it_is_slow(module):
    class Slow(RoundRobin):
        def pick(self, ready, view):
            return ready[0]

    with pytest.warns(reconverge.SpeedWarning, match=r"`Slow` in Python: the launch ran on one thread, and spent \d+ %"):
        run(module, Slow, threads=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(module, Slow)


SWEPT = r"""
__global__ void k(int *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] += x[(threadIdx.x + i) % 256]; }
int main()
{
    int *x;
    cudaMalloc(&x, 1024);
    k<<<2, 256>>>(x, 9);
    return cudaDeviceSynchronize();
}
"""


def test_sweeps_keep_the_results_of_a_class(tmp_path):
    vary = {"scheduler": ["loose-round-robin", RoundRobin, Greedy], "sms": [1, 2]}
    swept = lambda: reconverge.sweep(SWEPT, vary, machine="tiny", store=tmp_path, jobs=2)
    found = swept()
    assert found.ran == 6 and all(point.is_good for point in found)
    assert [dict(it.stats) for it in found[:2]] == [dict(it.stats) for it in found[2:4]]
    assert found[2].settings["scheduler"].startswith("round-robin-")
    assert swept().ran == 0
    more = reconverge.sweep(SWEPT, {"scheduler": [Greedy.using(last=1)]}, machine="tiny", store=tmp_path)
    assert more.ran == 1


def test_sweeps_refuse_what_has_no_source(tmp_path):
    names = {"reconverge": reconverge}
    exec("class Hidden(reconverge.Scheduler):\n def pick(self, ready, view):\n  return ready[0]\n", names)
    with pytest.raises(ValueError, match="no source of the class `Hidden`"):
        reconverge.sweep(SWEPT, machine="tiny", scheduler=names["Hidden"], store=tmp_path)


def test_a_sweep_ends_with_the_exception_and_keeps_nothing_of_it(tmp_path):
    class Fails(reconverge.Scheduler):
        def pick(self, ready, view):
            raise ArithmeticError("in a sweep")

    with pytest.raises(ArithmeticError, match="in a sweep"):
        reconverge.sweep(SWEPT, machine="tiny", scheduler=Fails, store=tmp_path)
    assert not list(tmp_path.glob("*.json"))


ENDLESS = """
import signal, sys, numpy, reconverge
signal.signal(signal.SIGINT, signal.default_int_handler)
class Endless(reconverge.Scheduler):
    def pick(self, ready, view):
        print("inside", flush=True)
        while True:
            pass
module = reconverge.compile("__global__ void k(int *x) { x[threadIdx.x] = 1; }")
try:
    module.launch("k", 1, 32, numpy.zeros(32, numpy.int32), machine="tiny", scheduler=Endless)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
def test_ctrl_c_ends_a_method_without_end():
    process = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "inside\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
