import process from 'node:process'
import { openNetwork } from '../../../platform/network/network.js'
import { type HttpAnswer, NetworkError } from '../../../platform/network/network-contract.js'
import { proxiesFor } from './proxies.js'

/** Milliseconds that a service may take to answer. */
const PATIENCE = 30_000

/** Whether a `payctl serve` answers at an address. */
export async function isServing(address: string): Promise<boolean> {
  return (await answerOf(address, '/healthz'))?.headers['x-api-version'] !== undefined
}

/**
 * Whether a `payctl serve --console` answers at an address. It redirects from `/console` to an environment.
 */
export async function isServingConsole(address: string): Promise<boolean> {
  return (await answerOf(address, '/console'))?.status === 303
}

/** The script of page components that a `payctl serve` serves at an address; undefined if there is none. */
export async function servedScript(address: string): Promise<ServedScript | undefined> {
  const answer = await answerOf(address, '/Payload.js')
  // Other services may answer any path with a page of their own.
  const found = /^const FIELDS_URL = (?:null|"(https?:[^"\\]+)")$/m.exec(answer?.text ?? '')
  if (answer?.status !== 200 || !found) return undefined
  const { scriptPlace } = await import('../../../http/components/components-script.js')
  const { path, integrity } = scriptPlace(answer.text)
  return {
    address: `${address.replace(/\/+$/, '')}${path}`,
    integrity,
    script_src: new URL(address).origin,
    frame_src: new URL(found[1] ?? address).origin,
  }
}

/**
 * The immutable script of page components, and the sources that a page must allow in its content security
 * policy.
 */
interface ServedScript {
  readonly address: string
  readonly integrity: string
  readonly script_src: string
  readonly frame_src: string
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
