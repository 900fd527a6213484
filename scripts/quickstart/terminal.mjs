import { heading, idIn, payctl } from './show.mjs'

const shop = 'scripts/quickstart/corner-shop.json'
const card = ['--card', '4242424242424242', '--expiry', '12/35']
const brief = ['--fields', 'id,type,amount,fee,status,funding_status,payment_method[description]']

/** Key, processing account, customer, payment, partial refund, void, ledger; answers what HTTP goes on with. */
export async function playAtTerminal() {
  heading('A key for programs; an account that is paid, with legal entity, owner and bank account; a payer')
  const key = idIn(await payctl('keys', 'create', '--description', 'quickstart'), 'test_secret_key_')
  const shown = ['--fields', 'id,name,status,legal_entity,payment_methods']
  const processingId = idIn(await payctl('processing-accounts', 'create', '--data', shop, ...shown), 'acct_')
  const payer = ['--name', 'Ada Byron', '--email', 'ada@example.com', '--primary-processing-id', processingId]
  const customer = idIn(await payctl('customers', 'create', ...payer), 'acct_')

  heading('A card payment, refunded in part')
  const pay = (amount, ...more) =>
    payctl('transactions', 'pay', '--amount', amount, '--customer', customer, ...card, ...more)
  const payment = idIn(await pay('29.99'), 'txn_')
  await payctl('transactions', 'refund', payment, '--amount', '10', ...brief)

  heading('Another payment, voided before it settles')
  await payctl('transactions', 'void', idIn(await pay('12.50', ...brief), 'txn_'), ...brief)

  heading('What was taken, and the ledger of the first payment')
  await payctl('transactions', 'list')
  await payctl('transactions', 'ledger', payment)
  return { key, processingId }
}
