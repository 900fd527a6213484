/** A group of commands on the first page of help. */
export interface RootGroup {
  readonly head: string
  /** Main commands of the group by id, each with its purpose. */
  readonly commands: Readonly<Record<string, string>>
  /** Further topics and commands of the group. */
  readonly also: readonly string[]
}

/**
 * The groups of `payctl --help`. Topics of minor objects, such as line items, are only in `payctl
 * --help-all`.
 */
export const ROOT_GROUPS: readonly RootGroup[] = [
  {
    head: 'TAKE PAYMENTS',
    commands: {
      'transactions:pay': 'by card or from a bank account',
      'transactions:refund': 'refund a payment, in full or in part',
      'payment-links:create': 'a page where somebody pays',
      'batch:run': 'perform every row of a file, each exactly once',
    },
    also: ['customers', 'payment-methods', 'receipts', 'readers', 'access-tokens', 'disputes'],
  },
  {
    head: 'BILL',
    commands: {
      'invoices:create': 'what a customer owes',
      'invoices:pay': 'charge a payment for an invoice',
      'billing-schedules:create': 'an invoice every week or month',
    },
    also: ['billing', 'billing-charges', 'line-items', 'payment-activations', 'simulate'],
  },
  {
    head: 'LOOK',
    commands: {
      status: 'what needs attention today',
      'transactions:list': 'the newest, with filters and sums',
      'transactions:find': 'by amount, last four digits, day, name',
      'transactions:explain': 'everything that happened to a transaction',
      console: 'the same in a browser',
    },
    also: ['watch', 'activity', 'open', 'reports', 'verify', 'whoami', 'exceptions', 'api'],
  },
  {
    head: 'RUN IT',
    commands: {
      serve: 'the interface and the pages over HTTP',
      doctor: 'problems, and the commands that fix them',
      backup: 'copy the databases, even while in use',
    },
    also: ['restore', 'migrate', 'gateways', 'funding', 'mail', 'maintenance', 'vault', 'books'],
  },
  {
    head: 'SET UP',
    commands: {
      demo: 'a shop with a year of history, to try things',
      'processing-accounts:create': 'a merchant that takes payments',
      'keys:create': 'a secret key for a program',
      'webhooks:create': 'an address that is notified of events',
    },
    also: ['operators', 'accounts', 'orgs', 'oauth', 'profiles', 'config', 'autocomplete', 'clock'],
  },
]
