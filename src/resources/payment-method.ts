import {
  datetime,
  digits,
  expiry,
  flag,
  group,
  json,
  money,
  one,
  oneOf,
  phone,
  postalCode,
  ref,
  secret,
  text,
} from '../schema/field.js'
import { addressForm, type FormField, formInside } from '../schema/form.js'
import type { MovesByOwner } from '../schema/moves.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'
import { nextAction } from './next-action.js'

/**
 * A change of a processing account's payment methods may redirect its deposits, which go to its bank
 * account.
 */
const redirectsDeposits: MovesByOwner = {
  ownedBy: 'processing_account',
  attribute: 'account_id',
  moves: 'redirect',
}

const card: Pick<FormField, 'with'> = { with: { at: 'type', is: 'card' } }
const bank: Pick<FormField, 'with'> = { with: { at: 'type', is: 'bank_account' } }
/** Marks a field of a group as needed, unless a gateway token is given or the field is sent outside the group. */
const needed = (name: string) => ({ needed: { unless: ['gateway_token', name] } })

export const methodForm: readonly FormField[] = [
  { at: 'account_id', label: 'account that it belongs to' },
  { at: 'type', label: 'kind of payment method' },
  { at: 'card.card_number', label: 'card number', ...card, ...needed('card_number') },
  { at: 'card.expiry', label: 'expiry', unit: 'MM/YY', ...card, ...needed('expiry') },
  { at: 'card.card_code', label: 'CVV', ...card },
  {
    at: 'bank_account.routing_number',
    label: 'routing number of the bank',
    ...bank,
    ...needed('routing_number'),
  },
  { at: 'bank_account.account_number', label: 'account number', ...bank, ...needed('account_number') },
  { at: 'bank_account.account_type', label: 'kind of account', ...bank, ...needed('account_type') },
  { at: 'bank_account.account_class', label: 'whose account it is', ...bank },
  { at: 'account_holder', label: 'name of the holder' },
  ...formInside('billing_address', addressForm),
  { at: 'default_payment_method', label: 'whether it is the default of its account' },
]

/** Spec: "Payment method". */
export const paymentMethod = resource({
  name: 'payment_method',
  least: 'cashier',
  plural: 'payment_methods',
  prefix: 'pm_',
  summary: 'A card or a bank account that pays or is paid.',
  fields: {
    account_holder: text({ doc: 'name of the holder' }),
    account_id: ref('account', { doc: 'owning account' }),
    default_payment_method: flag({ unset: false, doc: "may serve as the account's default" }),
    description: text({ readonly: true, doc: 'kind and last digits' }),
    last_four: digits({
      nonDefault: true,
      readonly: true,
      doc: 'last four digits of its number; fewer for a short account number',
    }),
    legal_entity: one('legal_entity', { by: 'legal_entity_id' }),
    phone_number: phone(),
    processing_agreement: one('processing_agreement', { by: 'processing_agreement_id', exclusive: true }),
    type: oneOf(['card', 'bank_account'], {
      required: true,
      readonly: 'update',
      doc: 'what it is: a card or a bank account',
    }),
    gateway_token: json({
      transient: true,
      doc: 'instead of a number: the token that a gateway has given for it, as {"gateway":"main","token":"…"}, with "merchant" where a route names one',
    }),
    next_action: nextAction,
    consent: group(
      {
        text: text({ readonly: true, max: 2000, doc: 'what the payer has agreed to' }),
        given_at: datetime({ readonly: true }),
        address: text({ readonly: true, doc: "internet address of the payer's browser" }),
      },
      { nonDefault: true, readonly: true, doc: 'consent of a payer who has saved it on a page' },
    ),
    keep_active: flag({ default: true, doc: 'false: the method is used once and not saved' }),
    bank_account: group({
      account_class: oneOf(['personal', 'business'], {
        readonly: 'update',
        doc: 'whose account it is: of a person or of a business',
      }),
      account_number: secret({ required: true, readonly: 'update', min: 4, max: 17 }),
      account_type: oneOf(['checking', 'savings'], {
        required: true,
        readonly: 'update',
        doc: 'kind of the bank account',
      }),
      routing_number: secret({ required: true, readonly: 'update', min: 9, max: 9, check: 'routing' }),
    }),
    billing_address: group({
      city: text(),
      country_code: text({ max: 2, doc: 'ISO 3166 code of the country' }),
      postal_code: postalCode({ required: true }),
      state_province: text(),
      street_address: text(),
      unit_number: text(),
    }),
    card: group({
      card_brand: oneOf(['american_express', 'visa', 'discover', 'mastercard', 'opticard'], {
        readonly: true,
        doc: 'network of the card, derived from its number',
      }),
      card_code: digits({ min: 3, max: 4, transient: true, doc: 'CVV; used once, never stored' }),
      card_number: secret({ required: true, readonly: 'update', min: 12, max: 19, check: 'card' }),
      card_type: oneOf(['credit', 'debit', 'gift', 'prepaid'], {
        readonly: 'SessionPermission',
        doc: 'how the card is funded; decides which fees it has',
      }),
      expiry: expiry({ required: true, doc: 'card expiration, MM/YY' }),
    }),
  },
  internal: {
    /**
     * Token that replaces the number: its gateway, the merchant there (null for the gateway's own), and the sealed
     * token.
     */
    token_gateway: text(),
    token_merchant: text(),
    sealed_token: text({ vault: 'sealed', boundTo: ['token_gateway', 'token_merchant'] }),
    /** The gateway's fingerprint of the number, as `stripe/…`. All tokens of a number have the same fingerprint. */
    token_fingerprint: text(),
    /** The card network's id of the first payment under a standing consent. */
    network_id: text(),
    /** Amount of the payment in `network_id`, convenience fee included. */
    network_amount: money(),
    /**
     * Set while a gateway stores the method without a payment; until then it cannot pay. `default`: it
     * becomes the default afterwards.
     */
    pending_store: oneOf(['kept', 'default']),
    /** Payment link on whose page the method was saved. */
    saved_by: ref('payment_link'),
    legal_entity_id: ref('legal_entity'),
    processing_agreement_id: ref('processing_agreement'),
    /**
     * Hard decline or bank return after which no automatic payment charges the method, until this is
     * cleared.
     */
    barred_by: ref('transaction'),
  },
  shorthands: [
    {
      group: 'card',
      when: { field: 'type', is: 'card' },
      fields: ['card_number', 'expiry', 'card_code', 'card_brand', 'card_type'],
      instead: 'gateway_token',
    },
    {
      group: 'bank_account',
      when: { field: 'type', is: 'bank_account' },
      fields: ['account_number', 'routing_number', 'account_type', 'account_class'],
      instead: 'gateway_token',
    },
  ],
  moves: {
    create: redirectsDeposits,
    update: redirectsDeposits,
    delete: redirectsDeposits,
  },
  seals: {
    ...MONEY,
    // Numbers of bank accounts are sealed, because deposits go to them.
    also: ['bank_account.account_number', 'bank_account.routing_number'],
    control: { type: 'bank_account' },
  },
  form: methodForm,
  ownership: [
    { kind: 'parent', column: 'account_id', resource: 'account' },
    {
      kind: 'named_by',
      resource: 'transaction',
      column: 'payment_method_id',
      unlessOwned: 'account_id',
    },
  ],
  example: {
    type: 'card',
    account_holder: 'Ada Park',
    card: { card_number: '4242 4242 4242 4242', expiry: '12/39', card_code: '123' },
    billing_address: { postal_code: '11238' },
  },
  columns: ['id', 'description', 'account_holder', 'account_id', 'default_payment_method'],
  indexes: [
    ['account_id'],
    ['pending_store'],
    ['card__card_number_hash'],
    ['bank_account__account_number_hash'],
    ['legal_entity_id'],
    ['processing_agreement_id'],
  ],
})
