import { owner, type Principal, system } from '../request/principal.js'
import type { Adapter, ApiRequest } from '../request/request.js'

/** Circumstances of a unit of work, which are the same in all its lines of activity. */
export interface Occasion {
  readonly principal: Principal
  readonly through: Adapter
  /** Id of the request in the log. */
  readonly requestId?: string | undefined
  /** Action such as `create transaction`; undefined: it follows from the first changed object. */
  readonly action?: string | undefined
  /** Reason that a person gave. */
  readonly reason?: string | undefined
  /** Name of the job, for work without a request. */
  readonly job?: string | undefined
}

/** Occasion of a request. */
export function occasionOf(request: ApiRequest, action?: string): Occasion {
  const { principal, through = 'terminal', requestId, reason } = request
  return { principal, through, requestId, action, reason }
}

/** Occasion of work by the service itself: in a job, after a commit, or while it signs a person in. */
export function systemOccasion({
  principal = system,
  through = 'job',
  requestId,
  job,
}: Partial<Occasion> = {}): Occasion {
  return { principal, through, requestId, job }
}

/** Columns of a line that identify its author. */
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
