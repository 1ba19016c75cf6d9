export const PeoplePage = () => null
