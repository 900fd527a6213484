import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../../engine/store/database/store.js'
import { splitTarget } from '../../api/request-target.js'
import { queryParameters } from '../../pages/signed-address.js'
import { consoleAddress } from '../console-page.js'

/** Name of the parameter with the page that follows a sign-in. */
const GOAL = 'to'
const MAX_LENGTH = 2_000
/** Access pages, to which a sign-in never leads. */
const ACCESS_PAGES = ['sign-in', 'sign-out', 'confirm']

/**
 * The page that follows a sign-in: a page of this environment's console, by default its first page, and never another
 * address.
 */
export function goalOf(request: FastifyRequest, environment: Environment): string {
  const home = consoleAddress(environment, [])
  const requested = queryParameters(request).find(([name]) => name === GOAL)?.[1] ?? ''
  if (requested.length > MAX_LENGTH || !requested.startsWith(home)) return home
  // Browsers read a backslash as a slash, and drop control characters.
  if (/[\\\p{Cc}\s]/u.test(requested)) return home
  const { pathname, search, host } = new URL(requested, ORIGIN)
  const isHere = host === HOST && pathname.startsWith(home) && !pathname.includes('//')
  const isAccess = ACCESS_PAGES.includes(pathname.slice(home.length).split('/', 1)[0] ?? '')
  return isHere && !isAccess ? `${pathname}${search}` : home
}

/** The address of an access page. After the access page, the operator is sent to `goal`. */
export function accessAddress(environment: Environment, page: string, goal: string): string {
  return consoleAddress(environment, [page], goal === consoleAddress(environment, []) ? [] : [[GOAL, goal]])
}

/**
 * Path and query of a request, to which an access page can lead back. For a posted form this is the form's page,
 * because both have the same address.
 */
export function addressOfRequest({ raw }: FastifyRequest): string {
  const { path, search } = splitTarget(raw.url)
  return search === '' ? path : `${path}?${search}`
}

const HOST = 'console.invalid'
const ORIGIN = `http://${HOST}`
