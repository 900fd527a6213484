import { ApiError, invalidAttributes } from '../../engine/core/request/errors.js'

export function noBatch(): ApiError {
  return invalidAttributes({ id: 'There is no such batch: begin it first' })
}

/** A batch does one kind of thing: the same rows would otherwise be done as another. */
export function otherKind(id: string, kind: string): ApiError {
  return new ApiError('Conflict', `The batch ${id} has rows of the kind ${kind}; give this one another name`)
}

/** Whoever gives another file the name of a batch that is over may mean another batch, or more rows of the same. */
export function otherContent(id: string): ApiError {
  return new ApiError(
    'Conflict',
    `The batch ${id} is finished, and its file had another content. ` +
      'Give this file a name of its own, or continue the batch: rows that it has done are not done again',
  )
}
