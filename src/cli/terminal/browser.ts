import process from 'node:process'
import { openNetwork } from '../../platform/network/network.js'
import { type HttpAnswer, NetworkError } from '../../platform/network/network-contract.js'
import { proxiesFor } from './remote/proxies.js'

/** Milliseconds that a service may take to answer. */
const PATIENCE = 30_000

/** Whether a `payctl serve` answers at an address. */
export async function isServing(address: string): Promise<boolean> {
  return (await answerOf(address, '/healthz'))?.headers['x-api-version'] !== undefined
}

/** Whether a `payctl serve --console` answers at an address: it leads from the console to an environment. */
export async function isServingConsole(address: string): Promise<boolean> {
  return (await answerOf(address, '/console'))?.status === 303
}

/** The answer of a service; undefined if there is none. */
async function answerOf(address: string, path: string): Promise<HttpAnswer | undefined> {
  const origin = new URL(address)
  const network = await openNetwork(origin, proxiesFor(origin, process.env))
  const target = `${origin.pathname.replace(/\/+$/, '')}${path}`
  try {
    return await network.ask({ method: 'GET', origin, target, headers: {}, patience: PATIENCE })
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  } finally {
    network.close()
  }
}

/** Opens a page in the browser if stdout is a local terminal; returns whether it tried. */
export async function show(address: string): Promise<boolean> {
  const { CI, SSH_CONNECTION: remote } = process.env
  if (!process.stdout.isTTY || CI || remote) return false
  const { default: open } = await import('open')
  await open(address)
  return true
}
