/** The operator's token of a gateway under test. */
export const operatorToken = "an-operator-token-for-tests-alone"
