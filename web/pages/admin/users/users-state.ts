/** What the list of users keeps in its address. */
import { oneOf, oneOfOr, text } from '../../../lib/search-state.ts';

export const roles = ['user', 'admin'] as const;
export const userStates = ['active', 'disabled'] as const;

export const usersSearch = {
  list: oneOfOr(['users', 'invitations'], 'users'),
  q: text,
  role: oneOf(roles),
  state: oneOf(userStates),
  cursor: text,
};
