import type { Variables } from '../input/platform-home.js'

/** How output on a stream may look. */
export interface Look {
  /** Columns of the terminal; undefined when piped: then nothing is cut. */
  readonly width?: number
  readonly colour: boolean
  /** The time zone that datetimes are shown in; the machine's unless given. */
  readonly zone?: string
}

/** What the look of a stream depends on. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

/**
 * The look of a stream. A terminal shows local time unless `PAYCTL_UTC` is set. `NO_COLOR` and `FORCE_COLOR` decide before
 * the kind of stream; a dumb terminal has no colours.
 */
export function lookOf(screen: Screen, variables: Variables): Look {
  const { NO_COLOR, FORCE_COLOR, TERM, PAYCTL_UTC } = variables
  const width = screen.isTTY ? { width: screen.columns || 80, ...(PAYCTL_UTC && { zone: 'UTC' }) } : {}
  if (NO_COLOR) return { ...width, colour: false }
  if (FORCE_COLOR) return { ...width, colour: FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' }
  return { ...width, colour: screen.isTTY === true && TERM !== 'dumb' }
}
