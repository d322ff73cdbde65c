export { type GrpcServerOptions, openGrpcServer } from './open-grpc-server.ts';
export { type CallHandler, createCallHandler } from './serve-call.ts';
