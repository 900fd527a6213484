/** How many objects a page has unless `limit` says otherwise, and how many it may have. Decisions: "The wire". */
export const DEFAULT_LIMIT = 100
export const LARGEST_LIMIT = 1_000
