/** What went wrong, as one message for whoever tries payctl. */
export class QuickstartError extends Error {}
