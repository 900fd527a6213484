import { registry } from '../terminal/declarations/declared-registry.js'
import { topicOf } from './derived/topic.js'

/** The topics of commands, with their descriptions in help. */
export const TOPICS = {
  ...Object.fromEntries(
    registry.all
      .filter(({ admin }) => !admin)
      .map((resource) => [topicOf(resource), { description: resource.summary }]),
  ),
  activity: { description: 'Log of changes: what was done, by whom, and through which interface.' },
  operators: { description: 'People who work with an environment, and what each may do.' },
  'operators:sessions': { description: 'Browsers in which operators are signed in.' },
  keys: { description: 'Secret keys that programs authenticate with.' },
  profiles: { description: 'Settings saved under names.' },
  config: { description: 'Settings of all commands at this terminal, and aliases.' },
  oauth: { description: 'Access to processing accounts that users grant to applications.' },
  'oauth:grants': { description: 'Access that users granted.' },
  'oauth:redirects': { description: 'Addresses that applications receive authorization codes at.' },
  'oauth:users': { description: 'People who sign in for an organization and grant access.' },
  vault: { description: 'The keys with which card and account numbers are encrypted.' },
  books: { description: 'The key that signs the books, and acceptance of books with missing commits.' },
  batch: { description: 'Perform every row of a file, each exactly once.' },
  billing: { description: 'Make the invoices of billing schedules, and collect what is due on them.' },
  clock: { description: 'Show the time of an environment, and change it in test.' },
  fixtures: { description: 'Send the requests in a file, as to set up data for a test.' },
  funding: { description: 'Capture payments, and make deposits.' },
  gateways: { description: 'Connections to processors, which really move the money.' },
  'gateways:notifications': { description: 'Notifications that gateways sent.' },
  settlements: { description: 'What gateways have settled and paid out.' },
  'settlements:lines': { description: 'The lines of settlements, and the transactions that they match.' },
  disputes: { description: 'Disputes of payments at the banks of payers, and the answers to them.' },
  exceptions: { description: 'Reports of gateways that do not fit the books, for an operator to decide.' },
  reports: { description: 'Sums, statements and lists of a period, which agree with the journal.' },
  simulate: { description: 'Simulate events of banks, in the test environment.' },
  mail: { description: 'Messages to payers: receipts, invoices, reminders.' },
  maintenance: { description: 'Refuse requests of programs for a while.' },
  help: { description: 'Show help for a command or a topic.' },
}
