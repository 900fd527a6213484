import { registry } from '../terminal/declared-registry.js'
import { topicOf } from './derived/topic.js'

/** The topics of commands, with their descriptions in help. */
export const TOPICS = {
  ...Object.fromEntries(
    registry.all
      .filter(({ admin }) => !admin)
      .map((resource) => [topicOf(resource), { description: resource.summary }]),
  ),
  activity: { description: 'What was done, by whom and through what.' },
  operators: { description: 'People who work with an environment, and what each may do.' },
  'operators:sessions': { description: 'Browsers in which operators are signed in.' },
  keys: { description: 'Secret keys that programs authenticate with.' },
  profiles: { description: 'Settings that are saved under names.' },
  config: { description: 'How every command behaves at this terminal, and aliases.' },
  oauth: { description: 'Access to processing accounts that users grant to applications.' },
  'oauth:grants': { description: 'What users granted.' },
  'oauth:redirects': { description: 'Addresses that applications receive authorization codes at.' },
  'oauth:users': { description: 'People who sign in for an organization and grant access.' },
  vault: { description: 'The keys that card and account numbers are encrypted under.' },
  books: { description: 'The key that signs the books, and accepting them as they are.' },
  batch: { description: 'Do every row of a file, each exactly once.' },
  billing: { description: 'Make the invoices of billing schedules, and collect what is due on them.' },
  clock: { description: 'What time it is, and moving it in the test environment.' },
  fixtures: { description: 'Requests in a file, which set up what a test or a demonstration needs.' },
  funding: { description: 'Capture what was taken, and pay it out.' },
  gateways: { description: 'Connections to processors, which really move the money.' },
  'gateways:notifications': { description: 'What gateways say by themselves.' },
  settlements: { description: 'What gateways have settled and paid out.' },
  'settlements:lines': { description: 'The lines of settlements, and what each was matched with.' },
  disputes: { description: 'Disputes of payments at the banks of payers, and the answers to them.' },
  exceptions: { description: 'What gateways say that does not fit the books, to be decided.' },
  reports: { description: 'Sums, statements and lists of a period, which tie out with the journal.' },
  simulate: { description: 'What banks do, in the test environment.' },
  mail: { description: 'Messages to payers: receipts, invoices, reminders.' },
  maintenance: { description: 'Refuse requests of programs for a while.' },
  help: { description: 'Show help for a command or a topic.' },
}
