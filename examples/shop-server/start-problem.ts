/** Reason why the shop cannot start or reach the service, and what to do about it, in one sentence for people. */
export class StartProblem extends Error {}
