/**
 * Every metric of ours, one row each; `docs/monitoring.md` is made from it. Labels take their values
 * from closed lists, from routes, or from the names of models and upstreams, of which there are at
 * most {@link namesMax}. Users, keys, addresses and words of callers are never among them.
 *
 * Units are those of Prometheus: seconds, bytes, and whole units of the installation's currency.
 */
export interface MetricRow {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** Upper ends, of a histogram. */
  buckets?: readonly number[];
  /** How the values of several processes make one. */
  aggregator: 'sum' | 'max' | 'min' | 'first';
}

/** Different values of a label that takes names; what comes later counts as `other`. */
export const namesMax = 200;

const quickSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const pictureSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
const ownSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export const metricTable = {
  httpRequests: counter(
    'tintype_http_requests_total',
    'Requests answered, by route pattern; status 0 where the client left before any answer.',
    ['method', 'route', 'status'],
  ),
  httpDuration: histogram(
    'tintype_http_request_duration_seconds',
    'From the headers of a request to the end of its answer; surface is v1, console or other.',
    ['surface'],
    quickSeconds,
  ),
  httpReceived: counter(
    'tintype_http_received_bytes_total',
    'Bytes that clients sent, headers included.',
    ['surface'],
  ),
  httpSent: counter('tintype_http_sent_bytes_total', 'Bytes sent to clients, headers included.', [
    'surface',
  ]),
  imageRequests: counter(
    'tintype_image_requests_total',
    'Image requests with a valid key, by outcome; code is ok, an error code or client_gone.',
    ['model', 'operation', 'code'],
  ),
  imageDuration: histogram(
    'tintype_image_request_duration_seconds',
    'Duration of image requests that got their pictures.',
    ['model', 'operation'],
    pictureSeconds,
  ),
  imageUpstream: histogram(
    'tintype_image_upstream_seconds',
    'Time of such requests at upstreams, from the first call to the end of the last, with the waits between.',
    ['model', 'operation'],
    pictureSeconds,
  ),
  imageOwn: histogram(
    'tintype_image_own_seconds',
    'Time of such requests here, which is the rest: reading the request, money, sending the answer.',
    ['operation'],
    ownSeconds,
  ),
  pictures: counter('tintype_pictures_total', 'Pictures charged.', ['model', 'operation']),
  admissions: counter(
    'tintype_admissions_total',
    'Decisions of the database whether a request may begin.',
    ['outcome'],
  ),
  admitDuration: histogram(
    'tintype_admit_duration_seconds',
    'Time that such a decision takes.',
    [],
    ownSeconds,
  ),
  settleDuration: histogram(
    'tintype_settle_duration_seconds',
    'From the last upstream answer to a durable charge.',
    [],
    ownSeconds,
  ),
  money: counter(
    'tintype_money_total',
    'Money of image requests, in units of the currency: hold, charge, release (what a hold set aside and did not charge), refund (of what nobody took).',
    ['movement'],
  ),
  attempts: counter(
    'tintype_upstream_attempts_total',
    'Calls to upstreams by fault, which is none if a picture came of it.',
    ['upstream', 'fault'],
  ),
  attemptDuration: histogram(
    'tintype_upstream_attempt_duration_seconds',
    'Duration of those calls.',
    ['upstream'],
    pictureSeconds,
  ),
  possiblyCharged: counter(
    'tintype_upstream_possibly_charged_total',
    'Calls without a picture that the upstream may charge the operator for.',
    ['upstream'],
  ),
  skips: counter('tintype_upstream_skips_total', 'Upstreams passed over, by reason.', [
    'upstream',
    'reason',
  ]),
  breakerChanges: counter(
    'tintype_upstream_breaker_changes_total',
    'Changes of a breaker, by the state it came into.',
    ['upstream', 'state'],
  ),
  swept: counter(
    'tintype_holds_swept_total',
    'Holds that the sweep found unfinished: expired, refunded, or stuck, which it could not end.',
    ['outcome'],
  ),
  memoryRefusals: counter(
    'tintype_memory_refusals_total',
    'Image requests refused for want of memory, by what there was no room for: an upload, or an answer (before it cost anything).',
    ['part'],
  ),
  mails: counter(
    'tintype_mails_total',
    'Tries to send a mail: sent, refused (the mail server takes none for this address), or failed, for whatever other reason.',
    ['outcome'],
  ),
  breaker: gauge(
    'tintype_upstream_breaker',
    'Processes in which the breaker of an upstream is in this state: closed, open (it rests), or half_open (its next call decides).',
    ['upstream', 'state'],
    'sum',
  ),
  calls: gauge(
    'tintype_upstream_calls',
    'Upstream calls by state: running, or waiting for a place.',
    ['upstream', 'state'],
    'sum',
  ),
  running: gauge('tintype_requests_running', 'Image requests under way.', [], 'sum'),
  runningMax: gauge(
    'tintype_requests_running_max',
    'The most that may be under way: TINTYPE_REQUESTS_IN_FLIGHT.',
    [],
    'sum',
  ),
  memoryHeld: gauge(
    'tintype_memory_held_bytes',
    'What uploads and finished answers hold of the memory budget.',
    [],
    'sum',
  ),
  memoryBudget: gauge(
    'tintype_memory_budget_bytes',
    'The memory budget: TINTYPE_MEMORY_BUDGET, or what there is without it.',
    [],
    'sum',
  ),
  memoryWaiting: gauge(
    'tintype_memory_waiting',
    'Uploads that wait for room in the memory budget.',
    [],
    'sum',
  ),
  holds: gauge(
    'tintype_holds',
    'Holds in the database, of all processes: open (each takes a slot), and undelivered (charged, not yet handed over).',
    ['state'],
    'max',
  ),
  heldMoney: gauge(
    'tintype_held_money',
    'Money set aside by open holds, of all processes, in units of the currency.',
    [],
    'max',
  ),
  oldestHold: gauge(
    'tintype_oldest_hold_seconds',
    'Age of the oldest open hold; 0 without one.',
    [],
    'max',
  ),
  diskFree: gauge(
    'tintype_disk_free_bytes',
    'Room for the embedded database on its disk; not there with PostgreSQL.',
    [],
    'min',
  ),
  historyLag: gauge(
    'tintype_history_lag_seconds',
    'How far the pruning of the history is behind the clock: some minutes, as a rule; not there before it first ran.',
    [],
    'max',
  ),
  clockOffset: gauge(
    'tintype_clock_offset_seconds',
    "How far the clock of this machine is ahead of that of PostgreSQL's, or behind it where negative; not there with the embedded database.",
    [],
    'max',
  ),
  ready: gauge(
    'tintype_ready',
    'Whether the process takes requests, as /readyz says: 1 or 0.',
    [],
    'min',
  ),
  lease: gauge(
    'tintype_lease_certain',
    'Whether the process has renewed the lease of its holds in time: 1 or 0.',
    [],
    'min',
  ),
  build: gauge('tintype_build_info', 'Always 1; the version is its label.', ['version'], 'first'),
} as const satisfies Readonly<Record<string, MetricRow>>;

function counter(name: string, help: string, labels: readonly string[]): MetricRow {
  return { name, type: 'counter', help, labels, aggregator: 'sum' };
}

function gauge(
  name: string,
  help: string,
  labels: readonly string[],
  aggregator: MetricRow['aggregator'],
): MetricRow {
  return { name, type: 'gauge', help, labels, aggregator };
}

function histogram(
  name: string,
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
): MetricRow {
  return { name, type: 'histogram', help, labels, buckets, aggregator: 'sum' };
}
