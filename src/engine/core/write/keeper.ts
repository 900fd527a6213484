import type { ApiResponse } from '../request/request.js'
import type { Work } from './work.js'

/** What an answer is about that is not known yet, so that it can be made later. */
export interface Continuation {
  readonly resource: string
  readonly ids: readonly string[]
  readonly list: boolean
  readonly fields: readonly string[]
  /** Processing accounts that whoever asked is narrowed to; nothing: all. The answer shows no more than they see. */
  readonly processingIds?: readonly string[] | undefined
}

/** Keeps the answer to a request in the unit of work that did it, so that it is done once. May throw `ApiError`s. */
export interface Keeper {
  /** The answer that was kept; nothing when the request is new. */
  find(work: Work): Promise<ApiResponse | undefined>
  /** Keeps an answer that is final, in place of one that waited; answers its JSON where that was written. */
  keep(work: Work, response: ApiResponse, isSecret: boolean): Promise<string | undefined>
  /** Keeps what the answer will be about, as an outcome is not known yet. */
  keepOpen(work: Work, continuation: Continuation): Promise<void>
}
