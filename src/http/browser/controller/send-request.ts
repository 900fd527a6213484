import type { Action, Answer, Details, FormPath, Refusal } from '../frames/frame-message.js'
import { key, texts } from './controller-data.js'

/** Answer of the service to a request. */
export interface ServiceAnswer extends Answer {
  /** Whether the outcome stays open. */
  readonly isOpen?: boolean
  /** The step that the payer has to take first. */
  readonly action?: Action | undefined
}

interface LosableAnswer extends ServiceAnswer {
  readonly isLost?: boolean
}

/** Milliseconds before each repetition of a request. */
const BACKOFF = [500, 1000, 2000, 4000]

/** Sends a request, and sends it again if its answer is lost. */
export async function send(path: FormPath, id: string, text: string): Promise<ServiceAnswer> {
  for (const pause of BACKOFF) {
    const answer = await sendOnce(path, id, text)
    if (!answer.isLost) return answer
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return await sendOnce(path, id, text)
}

async function sendOnce(path: FormPath, id: string, text: string): Promise<LosableAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': id,
  }
  try {
    const response = await fetch(`../${path}`, {
      method: 'POST',
      headers,
      body: text,
      credentials: 'omit',
      cache: 'no-store',
    })
    const body = await response.json()
    if (response.ok) return { object: shown(body), action: actionIn(body) }
    // An answer of 429 says that the request was not carried out, and when to send it again.
    if (response.status === 429) return { isOpen: true, error: errorOf(body) }
    if (response.status >= 500 || response.status === 409)
      return {
        isOpen: true,
        isLost: true,
        error: { ...errorOf(body), error_description: texts.unknown },
      }
    return { error: errorOf(body) }
  } catch {
    const error = { error_type: 'ServiceUnavailable', error_description: texts.unknown }
    return { isOpen: true, isLost: true, error }
  }
}

/** The step that the payer has to take first; undefined for none. */
function actionIn({
  id,
  next_action: step,
}: {
  readonly id: string
  readonly next_action?: { readonly url?: string }
}) {
  return step?.url === undefined
    ? undefined
    : { id, signature: new URL(step.url).searchParams.get('signature') }
}

/** Attributes of an object that the page receives. */
function shown({ object, id, status, status_code, status_message }: Details): Details {
  return { object, id, status, status_code, status_message }
}

function errorOf({ error_type, error_description, details }: Refusal): Refusal {
  if (error_type === 'TransactionDeclined')
    return { error_type, error_description, details: shown(details ?? {}) }
  return { error_type, error_description, details }
}
