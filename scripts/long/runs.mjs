/** Tests that usually check only a part of their requests, chosen by the commit. */
const ACCESS = [
  'test/engine/core/access/keys.test.ts',
  'test/engine/core/access/others.test.ts',
  'test/engine/core/scope-writes.test.ts',
  'test/http/authorization.test.ts',
]

/**
 * Long runs by name: a program (`file`) or tests (`tests`), with fixed options (`given`) and variables (`env`). With
 * `needsBuild`, the project is built first. A failing run is tried up to `attempts` times.
 */
export const RUNS = {
  access: {
    does: 'all requests of which the suite checks a part at each commit',
    tests: ACCESS,
    env: { PAYCTL_TEST_ACCESS: 'all' },
  },
  // A machine may be slow for seconds, so the run fails only if a ratio is worse three times in a row.
  speed: {
    does: 'reads and start against the commit before; fails when a ratio is worse by a fifth',
    file: 'bench/run.ts',
    given: ['--compare', 'HEAD~1', '--only', 'reads,start', '--short'],
    needsBuild: true,
    attempts: 3,
  },
  gates: {
    does: 'the long runs of a release at full size, one after another; goes on where it was stopped',
    file: 'simulation/gates.ts',
    needsBuild: true,
  },
  simulation: { does: 'random operators under a virtual clock, with crashes', file: 'simulation/run.ts' },
  compare: { does: 'the same operations on SQLite and on PostgreSQL', file: 'simulation/compare.ts' },
  corruptions: { does: 'corrupted books, which verify must find', file: 'simulation/corruptions.ts' },
  fuzz: { does: 'requests generated from the OpenAPI document', file: 'simulation/fuzz.ts' },
  mutations: {
    does: 'faults in the source, which the tests must find',
    file: 'scripts/mutations.ts',
    needsBuild: true,
  },
  crash: { does: 'serve killed under load', file: 'simulation/crash.ts', needsBuild: true },
  standby: {
    does: 'PostgreSQL killed under load, and its synchronous standby promoted',
    file: 'simulation/standby.ts',
    needsBuild: true,
  },
  'deliver-crash': {
    does: 'serve killed while webhooks are delivered',
    file: 'simulation/deliver-crash.ts',
    needsBuild: true,
  },
  'rotate-crash': {
    does: 'vault rotate killed under load',
    file: 'simulation/rotate-crash.ts',
    needsBuild: true,
  },
  'gateway-kills': {
    does: 'serve killed at every step of an operation at a rail',
    file: 'simulation/gateway-kills.ts',
    needsBuild: true,
  },
  'gateway-faults': {
    does: 'payments at rails that lose, delay and garble requests',
    file: 'simulation/gateway-faults.ts',
  },
  'hostile-load': {
    does: 'payments beside what strangers may send',
    file: 'simulation/hostile-load.ts',
    needsBuild: true,
  },
  races: {
    does: 'several of serve on one database, asked for what excludes each other',
    file: 'simulation/races.ts',
    needsBuild: true,
  },
  'wal-attacks': { does: 'a changed write-ahead log of a home in use', file: 'simulation/wal-attacks.ts' },
  'rails-real': {
    does: "a payment at the processors' sandboxes, for somebody who has keys there",
    file: 'test/gateways/run-rails-real.ts',
  },
  rail: { does: "the server of a rail's wire format, until Ctrl-C", file: 'test/gateways/run-rail.ts' },
  console: {
    does: 'the console and its reports over the books of a million payments',
    file: 'bench/console/run.ts',
    needsBuild: true,
  },
  'bench-connections': {
    does: 'payments over many connections against a few',
    file: 'bench/connections/run.ts',
    needsBuild: true,
  },
  'bench-funding': {
    does: 'cut-off and funding of a large day beside reads',
    file: 'bench/funding/run.ts',
    needsBuild: true,
  },
  'bench-gateway': {
    does: 'payments in flight to a gateway that takes its time',
    file: 'bench/gateway/run.ts',
    needsBuild: true,
  },
  'bench-lists': {
    does: 'payments beside clients that list a large database',
    file: 'bench/lists/run.ts',
    needsBuild: true,
  },
  'bench-million': { does: 'pages of a million transactions', file: 'bench/million/run.ts' },
  'bench-verify': {
    does: 'verify over the books of a million payments',
    file: 'bench/verify/run.ts',
    needsBuild: true,
  },
  'bench-profile': {
    does: 'a CPU profile of serve under load',
    file: 'bench/profile/run.ts',
    needsBuild: true,
    env: { PAYCTL_READABLE: '1' },
  },
}
