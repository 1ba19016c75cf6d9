/** Something a check found: a start fails, it works and should be changed, or it is as it should be. */
export type Finding = { level: 'wrong' | 'unwise' | 'fine'; text: string }

export const wrong = (text: string): Finding => ({ level: 'wrong', text })

export const unwise = (text: string): Finding => ({ level: 'unwise', text })

export const fine = (text: string): Finding => ({ level: 'fine', text })
