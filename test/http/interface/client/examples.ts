import createClient from 'openapi-fetch'
import type { paths } from './paths.js'

/**
 * The examples and filters of the specification, sent by a client whose types are generated from the OpenAPI
 * document. The test beside this compiles this file against the types, and runs it. Returns the answers.
 */
export async function examples(
  baseUrl: string,
  key: string,
  processing: string,
  oauth: { readonly code: string; readonly client_id: string; readonly client_secret: string },
) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Basic ${btoa(`${key}:`)}` } })

  // Spec: "Operations on specific resources". Card payment, bank account payment, void, refund.
  const card = await client.POST('/transactions', {
    body: {
      type: 'payment',
      amount: 29.99,
      processing_id: processing,
      payment_method: {
        type: 'card',
        account_holder: 'Ada Park',
        card: { card_number: '4242 4242 4242 4242', expiry: '12/39', card_code: '123' },
        billing_address: { postal_code: '11238' },
      },
    },
  })
  const bank = await client.POST('/transactions', {
    body: {
      type: 'payment',
      amount: '12.50',
      payment_method: {
        type: 'bank_account',
        bank_account: { account_number: '1234567890', routing_number: '122101706', account_type: 'checking' },
      },
    },
  })
  const voided = await client.PUT('/transactions/{id}', {
    params: { path: { id: bank.data?.id ?? '' } },
    body: { status: 'voided' },
  })
  const refund = await client.POST('/transactions', {
    params: { header: { 'Idempotency-Key': 'refund-1' } },
    body: { type: 'refund', amount: 10, ledger: [{ assoc_transaction_id: card.data?.id ?? '' }] },
  })
  const ledger = await client.GET('/transactions/{id}', {
    params: { path: { id: card.data?.id ?? '' }, query: { fields: ['*', 'ledger', 'conv_fee'] } },
  })

  const entries = await client.GET('/transactions/{id}/ledger', {
    params: { path: { id: card.data?.id ?? '' } },
  })

  // Update of one object, of a list, and of all matches.
  const customer = await client.POST('/customers', { body: { name: 'Ada', email: 'ada@example.com' } })
  const customers = await client.POST('/customers/', {
    body: { object: 'list', values: [{ name: 'Bea' }, { name: 'Cy', attrs: { vip: true } }] },
  })
  const invoice = await client.POST('/invoices', {
    body: {
      customer_id: customer.data?.id ?? '',
      due_date: '2031-01-31',
      items: [{ entry_type: 'charge', amount: 12.5, description: 'Beans' }],
    },
  })
  const schedule = await client.POST('/billing_schedules', {
    body: {
      customer_id: customer.data?.id ?? '',
      processing_id: processing,
      recurring_frequency: 'monthly',
      monthly: { billing_day: 15 },
      charges: [{ amount: 5 }],
    },
  })
  const changed = await client.PUT('/customers', {
    params: { query: { mode: 'query', name: 'Bea|Cy' } },
    body: { description: 'changed' },
  })
  const listed = await client.PUT('/customers', {
    body: {
      object: 'list',
      values: (customers.data?.values ?? []).map(({ id = '' }) => ({ id, phone_number: '212 555 0100' })),
    },
  })
  const removed = await client.DELETE('/customers', { params: { query: { mode: 'query', name: 'Cy' } } })
  const webhook = await client.POST('/webhooks', {
    body: { trigger: 'payment', url: 'https://example.com/payments' },
  })
  const logged = await client.GET('/webhooks/{id}', {
    params: { path: { id: webhook.data?.id ?? '' }, query: { fields: ['*', 'logs'] } },
  })
  const deleted = await client.DELETE('/webhooks', {
    body: { object: 'list', values: [{ id: webhook.data?.id ?? '' }] },
  })

  // Spec: "Query parameters".
  const filtered = await client.GET('/transactions', {
    params: {
      query: {
        type: 'payment|refund',
        amount: ['>5', '<=29.99'],
        status: '!declined',
        processing_id: processing,
        payment_method: { type: 'card' },
        fields: ['id', 'type', 'payment_method[card][card_brand]'],
        order_by: ['amount'],
        limit: 10,
      },
    },
  })
  const deposits = await client.GET('/transactions', {
    params: { query: { fields: ['*', 'ledger'], type: 'deposit', processing_id: processing } },
  })
  const between = await client.GET('/transactions', {
    params: { query: { amount: '<11|>29', type: ['!refund', '!deposit'] } },
  })
  const like = await client.GET('/invoices', {
    params: { query: { customer: { name: '?*AD*' }, items: { description: '?be*' } } },
  })
  const active = await client.GET('/processing_accounts', { params: { query: { status: 'active|pending' } } })

  // Spec: "OAuth 2.0 access to processing accounts", steps 2 and 3.
  const exchanged = await client.POST('/oauth/token', {
    body: { grant_type: 'authorization_code', ...oauth },
    headers: { Authorization: null },
  })
  const { refresh_token = '' } = exchanged.data ?? {}
  const refreshed = await client.POST('/oauth/token', {
    body: { grant_type: 'refresh_token', refresh_token },
    headers: { Authorization: null },
  })

  // An error includes its details.
  const refused = await client.POST('/customers', { body: { name: '', email: 'nobody' } })

  // Invalid requests do not compile.
  // @ts-expect-error the settlement makes deposits
  const deposit = await client.POST('/transactions', { body: { type: 'deposit', amount: 1 } })
  // @ts-expect-error there is no such attribute
  const misspelt = await client.GET('/transactions', { params: { query: { amnt: 1 } } })

  return {
    paid: [card.data?.status, bank.data?.status, voided.data?.status, refund.data?.type],
    ledger: ledger.data?.ledger?.map(({ entry_type, amount }) => [entry_type, amount]),
    entries: entries.data?.values.map(({ entry_type, amount }) => [entry_type, amount]),
    customers: customers.data?.values.map(({ name }) => name),
    changed: changed.data?.values.map(({ description }) => description),
    listed: listed.data?.values.map(({ phone_number }) => phone_number),
    removed: removed.data?.values.map(({ name }) => name),
    due: invoice.data?.amount_due,
    schedule: [schedule.data?.status, schedule.data?.monthly?.billing_day],
    logs: logged.data?.logs,
    deleted: deleted.data?.values.length,
    filtered: filtered.data?.values.length,
    between: between.data?.values.length,
    like: like.data?.values.length,
    deposits: deposits.data?.values.length,
    active: active.data?.values.length,
    tokens: [exchanged, refreshed].map(({ data }) => [data?.object, data?.expires_in]),
    errors: [refused, deposit, misspelt].map(({ error }) => error?.error_type),
    details: refused.error && 'details' in refused.error ? refused.error.details : undefined,
  }
}
