import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { heading, idIn, payctl, shown } from './show.mjs'

const fields = 'fields=id,type,amount,fee,status,funding_status'
const card = [
  ['-d', 'payment_method[type]=card'],
  ['-d', 'payment_method[card][card_number]=4242 4242 4242 4242'],
  ['-d', 'payment_method[card][expiry]=12/35'],
].flat()

/** The same over HTTP: pay, refund in part, void, read the ledger. */
export async function playOverHttp({ key, processingId }) {
  heading('The same over HTTP, with the key that was made above')
  process.env.KEY = key
  const { url, stop } = await serve()
  const curl = (path, ...args) =>
    shown('curl', ['-sS', '--fail-with-body', '-w', '\\n', '-u', '$KEY:', ...args, `${url}${path}`])
  const pay = (amount) => {
    const what = ['type=payment', `amount=${amount}`, `processing_id=${processingId}`].flatMap((pair) => [
      '-d',
      pair,
    ])
    return curl(`/transactions?${fields}`, ...what, ...card)
  }
  try {
    const payment = idIn(await pay('29.99'), 'txn_')
    const parent = `ledger[0][assoc_transaction_id]=${payment}`
    await curl(`/transactions?${fields}`, '-d', 'type=refund', '-d', 'amount=10', '-d', parent)
    const second = idIn(await pay('12.50'), 'txn_')
    await curl(`/transactions/${second}?${fields}`, '-X', 'PUT', '-d', 'status=voided')
    await curl(`/transactions/${payment}?fields=id,amount,funding_status,ledger`)
  } finally {
    await stop()
  }
  heading('The terminal sees what came over HTTP')
  await payctl('transactions', 'list')
}

async function serve() {
  const port = String(await freePort())
  process.stdout.write(`\n$ payctl serve --port ${port} &\n`)
  const child = spawn(process.execPath, ['bin/run.js', 'serve', '--port', port], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  await healthy(child, `${url}/healthz`)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      if (code !== 0) throw new Error(`payctl serve ended with ${code}`)
    },
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}

/** Waits until the server answers, for at most 20 seconds. */
async function healthy(child, url) {
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return
    await pause(100)
  }
  throw new Error('payctl serve did not begin to listen')
}
