import type { Variables } from '../input/platform-home.js'

/** Properties of output on a stream. */
export interface Look {
  /** Columns of the terminal; undefined for piped output, which is never cut. */
  readonly width?: number
  readonly colour: boolean
  /** Time zone of datetimes; by default the machine's. */
  readonly zone?: string
}

/** Properties of a stream that determine its look. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

/**
 * Look of a stream. A terminal shows local time unless `PAYCTL_UTC` is set. `NO_COLOR` and `FORCE_COLOR` decide about
 * colours; without them, terminals have colours, except dumb terminals.
 */
export function lookOf(screen: Screen, variables: Variables): Look {
  const { NO_COLOR, FORCE_COLOR, TERM, PAYCTL_UTC } = variables
  const width = screen.isTTY ? { width: screen.columns || 80, ...(PAYCTL_UTC && { zone: 'UTC' }) } : {}
  if (NO_COLOR) return { ...width, colour: false }
  if (FORCE_COLOR) return { ...width, colour: FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' }
  return { ...width, colour: screen.isTTY === true && TERM !== 'dumb' }
}
