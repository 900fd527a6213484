import type { Details, ShownRail } from '../frames/frame-message.js'

const { body } = document

/** The client key. The service has compared it with the origin of the page; the address could name two keys. */
export const key = body.dataset['key'] ?? ''

/** Texts in the language of the browser. */
export const texts = {
  /** For an outcome that is not known. */
  unknown: body.dataset['unknown'] ?? '',
  sentBefore: body.dataset['sentBefore'] ?? '',
  incomplete: body.dataset['incomplete'] ?? '',
  notLoaded: body.dataset['notLoaded'] ?? '',
}

/** Account at Authorize.Net for which Accept.js makes tokens of numbers in this frame. */
export interface AcceptData {
  readonly settings: Details
  readonly place: Details
  /** Text for a script that was kept away. */
  readonly blocked: string
}

/** Fields of a gateway that the shop's page mounts itself: this frame receives their token instead of numbers. */
export const rail: ShownRail | undefined = parsed(body.dataset['rail'])
export const accept: AcceptData | undefined = parsed(body.dataset['accept'])
/** Texts for methods that are not accepted. */
export const closed = JSON.parse(body.dataset['closed'] ?? '{}')

function parsed(text: string | undefined) {
  return text === undefined ? undefined : JSON.parse(text)
}
