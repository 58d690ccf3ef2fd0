/**
 * Loaded before a program that has no option for the address it listens on: it then listens on
 * 127.0.0.1, so that nobody else finds an open relay here while the measurement runs.
 */
import { Server } from 'node:net';

// oxlint-disable-next-line typescript/unbound-method -- it is called with the server it is called on
const listen = Server.prototype.listen;

Server.prototype.listen = function listenLocally(this: Server, ...given: unknown[]): Server {
  const [port] = given;
  const onListening = given.find((value) => typeof value === 'function');
  // Whatever else is given is a way to listen that names no network address.
  if (typeof port !== 'number') return Reflect.apply(listen, this, given) as Server;
  return Reflect.apply(listen, this, [port, '127.0.0.1', onListening]) as Server;
};
