import {
  alias,
  datetime,
  email,
  flag,
  group,
  many,
  money,
  one,
  oneOf,
  phone,
  ref,
  text,
} from '../schema/field.js'
import { type FormField, NEEDED } from '../schema/form.js'
import { CURRENCIES } from '../schema/money.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'
import { cornerShop } from './corner-shop.js'

const fields = {
  description: text({ doc: 'optional description' }),
  email: email({ doc: 'account email' }),
  name: text({ required: true, doc: 'person or company name' }),
  parent_org_id: ref('org', { doc: 'parent org' }),
  payment_methods: many('payment_method', { by: 'account_id', doc: 'associated payment method objects' }),
  phone_number: phone(),
  primary_processing_id: ref('processing_account', { doc: 'primary processing account of a customer' }),
  transaction_limit: money({ readonly: 'SessionPermission', doc: "the account's transaction limit" }),
  type: oneOf(['customer', 'processing'], {
    required: true,
    readonly: 'update',
    doc: 'whether it pays or is paid',
  }),
  processing: group({
    industry: text({ required: true, doc: 'primary processing industry' }),
    status: oneOf(['incomplete', 'pending', 'active', 'in_review', 'action_needed', 'resubmit', 'inactive'], {
      readonly: 'SessionPermission',
      doc: 'activation status of the processing account',
    }),
    payouts: oneOf(['simulated', 'gateway', 'none'], {
      readonly: 'SessionPermission',
      nonDefault: true,
      doc: 'how it is paid out. gateway: as the gateway reports; simulated: by funding runs, in test only; none: not at all. Null: simulated in test, none in live',
    }),
    deposits_problem: text({
      readonly: true,
      nonDefault: true,
      doc: 'why its deposits and bills are held back: their destination was changed outside payctl',
    }),
    settings: one('processing_settings', {
      by: 'processing_settings_id',
      inherits: true,
      exclusive: true,
      doc: 'processing settings',
    }),
  }),
  currency: oneOf(CURRENCIES, {
    readonly: 'update',
    doc: 'currency of a processing account: of its payments and of its deposits',
  }),
  is_default: flag({
    readonly: 'function',
    nonDefault: true,
    unset: false,
    doc: 'whether the operator has made it the destination of payments that name none',
  }),
  legal_entity_id: ref('legal_entity', { doc: 'id of its legal entity' }),
  legal_entity: one('legal_entity', {
    by: 'legal_entity_id',
    doc: 'the legal entity of a processing account',
  }),
} as const

const nameAndContact: readonly FormField[] = [
  { at: 'name', label: 'name', example: 'Corner Shop' },
  { at: 'email', label: 'email' },
  { at: 'phone_number', label: 'phone number' },
]
const industry: FormField = {
  at: 'processing.industry',
  label: 'what it sells (industry)',
  example: 'groceries',
  needed: NEEDED,
}

const common = {
  fields,
  restricts: {
    DELETE:
      'A processing account with transactions is not deleted, nor a customer with open invoices, active schedules or pending transactions',
  },
  internal: {
    processing_settings_id: ref('processing_settings'),
    /**
     * Month of a processing account's next bill (null for a new account), and the time when that bill is
     * due.
     */
    bill_month: text(),
    bill_due_at: datetime(),
    /** The bank account that receives the deposits of a processing account: its default one, otherwise its oldest. */
    deposit_method_id: text(),
  },
  moves: {
    create: 'nothing',
    update: { by: ['processing', 'payouts'], is: {}, otherwise: 'redirect', unset: 'nothing' },
    delete: 'nothing',
  },
  // Changes need the role `owner`: processing accounts are changed at this path too. Customers also have a path of
  // their own.
  least: 'owner',
  ownership: [
    { kind: 'names', column: 'id' },
    { kind: 'names', column: 'primary_processing_id' },
  ],
  indexes: [
    ['type'],
    ['email'],
    ['name'],
    ['primary_processing_id'],
    ['processing__status'],
    ['processing_settings_id'],
    ['legal_entity_id'],
    ['parent_org_id'],
    ['bill_due_at'],
  ],
} as const

/** Spec: "Account". */
export const account = resource({
  name: 'account',
  plural: 'accounts',
  prefix: 'acct_',
  summary: 'A customer or a processing account.',
  ...common,
  seals: { ...MONEY, except: ['processing__deposits_problem'], control: { type: 'processing' } },
  form: [
    { at: 'type', label: 'kind of account' },
    ...nameAndContact,
    { ...industry, with: { at: 'type', is: 'processing' } },
  ],
  columns: ['id', 'type', 'name', 'email', 'processing[status]', 'created_at'],
})

/** Spec: "Account"; customers are also addressed at `/customers`. */
export const customer = resource({
  ...common,
  name: 'customer',
  plural: 'customers',
  prefix: 'acct_',
  summary: 'An account that pays.',
  least: 'cashier',
  view: { of: 'account', table: 'accounts', where: { type: 'customer' }, without: ['legal_entity'] },
  form: nameAndContact,
  columns: ['id', 'name', 'email', 'primary_processing_id', 'created_at'],
})

/** Spec: "Operations on specific resources", List active processing accounts. */
export const processingAccount = resource({
  ...common,
  name: 'processing_account',
  plural: 'processing_accounts',
  prefix: 'acct_',
  summary: 'An account that payments go to.',
  moves: { ...common.moves, delete: 'redirect' },
  view: { of: 'account', table: 'accounts', where: { type: 'processing' } },
  form: [...nameAndContact, industry],
  fields: {
    ...fields,
    status: alias(['processing', 'status'], { readonly: true, doc: 'activation status' }),
  },
  actions: {
    set_default: {
      summary: 'make it the destination of payments that name none',
      moves: 'redirect',
      input: {},
      manage: true,
    },
  },
  example: cornerShop,
  columns: ['id', 'name', 'status', 'processing[industry]', 'created_at'],
})
