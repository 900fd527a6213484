import process from 'node:process'
import { heading, idIn, shown } from './show.mjs'
import { tellOverHttp } from './story-over-http.mjs'

const payctl = (...args) => shown('payctl', ...args)

/** Shows a payment from the card to the bank account, step by step, with real output of payctl. */
export async function tellStory() {
  heading('A shop', 'An account that can be paid: its legal entity, owner and bank account come from a file.')
  await payctl(
    'processing-accounts',
    'create',
    '--data',
    'docs/corner-shop.json',
    '--fields',
    'id,name,status',
  )

  heading(
    'A card payment',
    'A simulator answers in the test environment. This number is a test card; a real one is typed at a prompt.',
  )
  const card = ['--card', '4242424242424242', '--expiry', '12/35']
  const fields = ['--fields', 'id,type,amount,fee,status,funding_status']
  const payment = idIn(await payctl('transactions', 'pay', '--amount', '29.99', ...card, ...fields), 'txn_')

  heading('A refund of a part of it')
  await payctl('transactions', 'refund', payment, '--amount', '10', '--fields', 'id,type,amount,status')

  heading('The ledger of the payment', 'What other transactions took from it.')
  const entries = ['--columns', 'entry_type,amount,assoc_transaction_id,timestamp']
  await payctl('transactions', 'ledger', payment, ...entries)

  heading(
    'The deposit, two days later',
    'The test environment has a clock that moves on command; what falls due on the way is done.',
  )
  await payctl('clock', 'advance', '2d')
  await payctl('transactions', 'list', '--columns', 'id,type,amount,fee,status,funding_status')

  heading('Where the money of a payment is', 'Every step, down to the journal of double entries.')
  await payctl('transactions', 'explain', payment)

  heading('The proof', 'verify proves from the database alone that every rule of money holds.')
  await payctl('verify')

  await tellOverHttp()
  tellWhatNext()
}

function tellWhatNext() {
  heading('What to try next')
  process.stdout.write(`
The shop stays in .payctl/quickstart until the next quickstart. Go on with it:

  alias payctl="$PWD/bin/run.js"
  export PAYCTL_HOME="$PWD/.payctl/quickstart"

  payctl transactions pay      asks for what it needs, step by step
  payctl transactions refund   lists what can be refunded; type to search
  payctl serve                 has the interface on http://127.0.0.1:4242/docs
  payctl --help                shows all topics; every help has examples

All else is in README.md: installing payctl for good, guides, reference, tests.
`)
}
