import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { cloneNode } from './clone-node.mjs'
import { QuickstartError } from './quickstart-error.mjs'
import { heading, idIn, shown, typed } from './show.mjs'

const FIELDS = 'fields=id,amount,status'

/** Shows a payment over HTTP with curl, in the terminal. */
export async function tellOverHttp() {
  heading('The same over HTTP', 'A program has a key, and reaches what the terminal reaches.')
  if (spawnSync('curl', ['--version']).error) {
    process.stdout.write('(curl is not installed here, so this step is left out.)\n')
    return
  }
  const made = await shown('payctl', 'keys', 'create', '--fields', 'id,secret_key')
  process.env.KEY = idIn(made, 'test_secret_key_')
  typed(['export', `KEY=${process.env.KEY}`])
  const { url, stop } = await serve()
  try {
    const answer = await shown(
      'curl',
      '-s',
      '-u',
      '$KEY:',
      `${url}/transactions?${FIELDS}`,
      '-d',
      'type=payment',
      '-d',
      'amount=12.50',
      '-d',
      'payment_method[type]=card',
      '-d',
      'payment_method[card][card_number]=4242 4242 4242 4242',
      '-d',
      'payment_method[card][expiry]=12/35',
    )
    idIn(answer, 'txn_')
  } finally {
    await stop()
  }
  await shown('payctl', 'transactions', 'list', '--columns', 'id,type,amount,fee,status,funding_status')
}

async function serve() {
  const port = String(await freePort())
  typed(['payctl', 'serve', '--port', port, '&'])
  const child = spawn(cloneNode(), ['bin/run.js', 'serve', '--port', port], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  await healthy(child, `${url}/healthz`)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
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

/** Waits until the server answers, for at most a minute. */
async function healthy(child, url) {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt++) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return
    await pause(100)
  }
  child.kill()
  throw new QuickstartError('payctl serve did not begin to listen.')
}
