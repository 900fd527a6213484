import { owner, type Principal, system } from '../request/principal.js'
import type { Adapter, ApiRequest } from '../request/request.js'

/** Who works, through what and on what occasion: the same for each line of activity of a unit of work. */
export interface Occasion {
  readonly principal: Principal
  readonly through: Adapter
  /** Id of the request in the log. */
  readonly requestId?: string | undefined
  /** What is done, as `create transaction`; undefined: the first changed object says it. */
  readonly action?: string | undefined
  /** Why a person does it, in their words. */
  readonly reason?: string | undefined
  /** Name of the job. */
  readonly job?: string | undefined
}

/** The occasion of a request. */
export function occasionOf(request: ApiRequest, action?: string): Occasion {
  const { principal, through = 'terminal', requestId, reason } = request
  return { principal, through, requestId, action, reason }
}

/** The occasion of what the service does of its own accord, in a job or after a commit, or for somebody who is signed in by it. */
export function systemOccasion({
  principal = system,
  through = 'job',
  requestId,
  job,
}: Partial<Occasion> = {}): Occasion {
  return { principal, through, requestId, job }
}

/** Columns of a line that say who it was. */
export interface Doer {
  readonly by: 'operator' | 'key' | 'client' | 'payer' | 'system'
  readonly by_id: string
  readonly operator_id: string | null
}

export function doerOf({ principal, through, job }: Occasion): Doer {
  const { kind, id, token, intent } = principal
  switch (kind) {
    case 'operator':
      return { by: 'operator', by_id: token ?? id, operator_id: id === owner.id ? null : id }
    case 'client': {
      if (through !== 'page') return { by: 'client', by_id: id, operator_id: null }
      const link = intent?.payment_link_id
      return { by: 'payer', by_id: typeof link === 'string' ? link : id, operator_id: null }
    }
    case 'key':
      return { by: 'key', by_id: id, operator_id: null }
    case 'system':
      return { by: 'system', by_id: job ?? id, operator_id: null }
  }
}
