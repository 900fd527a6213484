import type { Variables } from '../input/home.js'

/** What a stream can show. */
export interface Look {
  /** Columns of the terminal; nothing when piped, where nothing may be cut off. */
  readonly width?: number
  readonly colour: boolean
}

/** A stream, as far as looks go. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** `NO_COLOR` and `FORCE_COLOR` win over what the stream is; a dumb terminal gets no colour. */
export function lookOf(screen: Screen, variables: Variables): Look {
  const { NO_COLOR, FORCE_COLOR, TERM } = variables
  const width = screen.isTTY ? { width: screen.columns || 80 } : {}
  if (NO_COLOR) return { ...width, colour: false }
  if (FORCE_COLOR) return { ...width, colour: FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' }
  return { ...width, colour: screen.isTTY === true && TERM !== 'dumb' }
}
