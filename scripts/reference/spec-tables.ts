/**
 * Tables of the specification, in its wording: attributes of each resource with type and flags, allowed values, and
 * nested paths. A test compares the declarations with these tables (test/scripts/conformance.test.ts).
 * docs/reference/conformance.md shows both.
 */

/** An attribute of the specification. */
export interface SpecField {
  /** Name of the resource's declaration. */
  readonly resource: string
  /** Path of the attribute, such as `['card', 'expiry']`. */
  readonly path: readonly string[]
  readonly type: string
  readonly flags: readonly string[]
  /** Allowed values, if the specification lists them. */
  readonly values?: readonly string[]
}

/** Attributes by resource, one on each line: name, type, flags. */
const TABLES: Readonly<Record<string, string>> = {
  account: `
    description | string
    email | email
    name | string | required
    parent_org_id | id
    payment_methods | list
    phone_number | phone
    primary_processing_id | id
    transaction_limit | number | readonly
    type | string | required
    processing.industry | string | required
    processing.status | string
    processing.settings | object
  `,
  processing_settings: `
    bank_account_conv_fee_alloc | number | required
    credit_conv_fee_alloc | number | required
    debit_conv_fee_alloc | number | required
    prepaid_conv_fee_alloc | number | required
    bank_account_processing_enabled | bool | required
    card_processing_enabled | bool | required
    bank_account_trans_cost | number | readonly
    bank_account_trans_rate | number | readonly
    credit_trans_cost | number | readonly
    debit_trans_cost | number | readonly
    prepaid_trans_cost | number | readonly
    credit_trans_rate | number | readonly
    debit_trans_rate | number | readonly
    prepaid_trans_rate | number | readonly
    batch_fee | number | required
    change_fee | number | required
    chargeback_fee | number | required
    minimum_bill | number | required
    nabu_fee | number | required
    pci_fee | number | required
    retrieval_fee | number | required
    monthly_processing_fee | number | readonly
    billing_preference | string | required
    pricing | string | required
    processing_type | string | readonly: SessionPermission
    description | string | readonly
    card_processing.credit | bool | required
    card_processing.debit | bool | required
    card_processing.prepaid | bool | required
  `,
  org: `
    industry | string | required
    name | string | required
    org_type | string | required
    parent_org_id | id
    phone_number | phone
    primary_processing_id | id
    processing_settings_id | id | readonly: function
    timezone | string
    processing_settings | object
  `,
  transaction: `
    amount | number | required, readonly: update
    avs | string | readonly
    card_code | numeric | non-default
    conv_fee | number | non-default, readonly
    customer_id | id | readonly: update
    description | string
    descriptor | string | non-default, readonly: update
    fee | number | readonly
    funding_status | string | readonly: function
    ledger | list
    order_number | string
    payment_method | object
    payment_method_id | id | readonly: update
    processed_date | date | readonly: method
    processing_id | id | readonly: update
    reader_id | id | readonly: update
    receipts | list
    ref_number | string | readonly
    risk_flag | string | readonly
    risk_score | number | readonly
    source | string | readonly: update
    status | string
    status_code | string | readonly: function
    status_message | string | readonly
    type | string | readonly: update
    order_details.incl_costs.duty | number
    order_details.incl_costs.shipping | number
    order_details.incl_costs.tax | number
    order_details.line_items.amount | string
    order_details.line_items.commodity_code | string | required
    order_details.line_items.description | string | required
    order_details.line_items.discount_amount | string
    order_details.line_items.product_code | string | required
    order_details.line_items.qty | number
    order_details.line_items.unit_of_measure | string
    order_details.line_items.unit_price | number | required
    shipping_details.city | string
    shipping_details.country_code | string
    shipping_details.postal_code | postal_code | required
    shipping_details.rcpt_company | string
    shipping_details.rcpt_first_name | string
    shipping_details.rcpt_last_name | string
    shipping_details.state_province | string
    shipping_details.street_address | string
    shipping_details.unit_number | string
  `,
  transaction_ledger: `
    amount | number
    assoc_transaction_id | id | required
    entry_type | string | readonly
    transaction_id | id | required
    timestamp | datetime
  `,
  payment_method: `
    account_holder | string
    account_id | id
    default_payment_method | bool
    description | string | readonly
    legal_entity | object
    phone_number | phone
    processing_agreement | object
    type | string | required
    keep_active | bool
    bank_account.account_class | string | readonly: update
    bank_account.account_number | numeric | readonly: update
    bank_account.account_type | string | readonly: update
    bank_account.routing_number | numeric | readonly: update
    billing_address.city | string
    billing_address.state_province | string
    billing_address.street_address | string
    billing_address.unit_number | string
    billing_address.postal_code | numeric | required
    card.card_brand | string | readonly
    card.card_code | numeric
    card.card_number | numeric | readonly: update
    card.card_type | string | readonly: SessionPermission
    card.expiry | expiry | required
  `,
  billing_schedule: `
    charges | list
    customer_id | id | required
    description | string
    end_date | date
    start_date | date
    invoices | list
    processing_id | id | required
    recurring_frequency | string
    type | string
    annually.billing_day | int | required
    annually.billing_month | int | required
    bimonthly.first_billing_day | int | required
    bimonthly.second_billing_day | int | required
    monthly.billing_day | int | required
    quarterly.q1.billing_day | int | required
    quarterly.q1.billing_month | int | required
    quarterly.q2.billing_day | int | required
    quarterly.q2.billing_month | int | required
    quarterly.q3.billing_day | int | required
    quarterly.q3.billing_month | int | required
    quarterly.q4.billing_day | int | required
    quarterly.q4.billing_month | int | required
  `,
  billing_charge: `
    amount | number | required
    billing_schedule_id | id | required
    description | string
    qty | number
    total | number | readonly
    type | string
  `,
  invoice: `
    amount_due | number | readonly
    attachments | object
    billing_schedule_id | id
    customer_id | id | required
    description | string
    due_date | date
    items | list
    paid_timestamp | date | readonly
    processing_id | id
    processing_settings_id | id | readonly
    status | string
    total_due | number | readonly
    total_paid | number | readonly
    type | string
    billing_contact.city | string | readonly
    billing_contact.email | string | readonly
    billing_contact.name | string | readonly
    billing_contact.postal_code | string | readonly
    billing_contact.state_province | string | readonly
    billing_contact.street_address1 | string | readonly
  `,
  line_item: `
    amount | number
    description | string
    entry_type | string | required
    incurred_date | date
    invoice_id | id | required
    qty | int
    total | int | readonly
    transaction_id | id
    type | string
    payment | object
  `,
  legal_entity: `
    business_id | string
    city | string | required
    contact_email | email
    contact_name | string
    contact_title | string
    ein | numeric | required
    legal_name | string | required
    owners | list
    payment_method_id | id | readonly
    phone_number | phone | required
    postal_code | postal_code | required
    start_date | datetime
    state_incorporated | string | required
    state_province | string | required
    street_address | string | required
    type | string | required
    unit_number | string
    website | string
  `,
  legal_entity_owner: `
    birth_date | datetime | required
    city | string | required
    email | email | required
    full_name | string | required
    legal_entity_id | id | readonly
    ownership | number | required
    phone_number | phone | required
    postal_code | numeric | required
    ssn | numeric | required
    state_province | string | required
    street_address | string | required
    title | string | required
    type | string
    unit_number | string
  `,
  webhook: `
    trigger | string
    url | string
    logs | list
  `,
  webhook_log: `
    trigger | string | required
    url | string | required
    webhook_id | id | required
    http_status | number | required
    oauth_status | number | non-default
    triggered_on.id | string | required
    triggered_on.object | string | required
    triggered_on.value | string
  `,
}

const VALUES: Readonly<Record<string, string>> = {
  'account.type': 'customer processing',
  'processing_settings.billing_preference': 'netted_daily billed_monthly',
  'processing_settings.pricing': 'flat_rate tiered interchange',
  'processing_settings.processing_type': 'payfac mor mor_tsys forte',
  'transaction.avs': 'no_match street_and_zip street zip unknown',
  'transaction.funding_status': 'pending captured batched refunded reversed',
  'transaction.risk_flag': 'in_review allowed denied',
  'transaction.source': 'keyed swipe emv emv_quickchip nfc googlepay applepay',
  'transaction.status': 'authorized processing processed declined voided rejected',
  'transaction.type': 'payment deposit reversal refund credit chargeback chargeback_reversal',
  'payment_method.type': 'card bank_account',
  'payment_method.bank_account.account_class': 'personal business',
  'payment_method.bank_account.account_type': 'checking savings',
  'payment_method.card.card_brand': 'american_express visa discover mastercard opticard',
  'payment_method.card.card_type': 'credit debit gift prepaid',
  'billing_schedule.recurring_frequency': 'daily weekly biweekly bimonthly monthly quarterly annually',
  'invoice.status': 'pending overdue partially_paid paid',
  'line_item.entry_type': 'charge payment',
  'legal_entity.type':
    'LIMITED_LIABILITY_COMPANY CORPORATION PUBLIC_CORPORATION PARTNERSHIP GOVERNMENT_AGENCY ASSOCIATION_ESTATE_TRUST TAX_EXEMPT_ORGANIZATION INDIVIDUAL_SOLE_PROPRIETORSHIP',
  'webhook.trigger':
    'reject refund void reversal automatic_payment payment processed authorized credit decline processing_status deposit payment_activation:status payment_link:status',
}

/** Resources with a path in the specification. */
export const SPEC_PATHS: readonly string[] = [
  'accounts',
  'customers',
  'processing_accounts',
  'orgs',
  'transactions',
  'transaction_ledgers',
  'payment_methods',
  'billing_schedules',
  'billing_charges',
  'invoices',
  'line_items',
  'legal_entities',
  'legal_entity_owners',
  'webhooks',
  'webhook_logs',
]

/** Nested paths in the specification. */
export const SPEC_NESTED: Readonly<Record<string, readonly string[]>> = {
  accounts: ['payment_methods'],
  orgs: ['account_access'],
  transactions: ['allocations', 'customer', 'ledger', 'payment_method', 'processing', 'reader', 'receipts'],
  payment_methods: ['legal_entity', 'processing_agreement'],
  billing_schedules: ['charges', 'invoices'],
  billing_charges: ['billing_schedule'],
  invoices: ['attachments', 'billing_schedule', 'customer', 'items', 'processing_settings'],
  line_items: ['invoice'],
  legal_entities: ['owners', 'stakeholders'],
  webhook_logs: ['webhook'],
}

/** All attributes of all tables. */
export const SPEC_FIELDS: readonly SpecField[] = Object.entries(TABLES).flatMap(([resource, text]) =>
  text
    .trim()
    .split('\n')
    .map((line) => fieldOf(resource, line.trim())),
)

function fieldOf(resource: string, line: string): SpecField {
  const [name = '', type = '', flags = ''] = line.split(' | ')
  const values = VALUES[`${resource}.${name}`]
  return {
    resource,
    path: name.split('.'),
    type,
    flags: flags.split(', ').filter((flag) => flag !== ''),
    ...(values !== undefined && { values: values.split(' ') }),
  }
}
