/* JSON-RPC 2.0 over two descriptors, with the headers of the Language Server Protocol or with one
 * message a line as in the Model Context Protocol. */
#ifndef LANGUAGE_RPC_H
#define LANGUAGE_RPC_H

#include "json.h"

enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_NOT_INITIALIZED = -32002,
    RPC_CANCELLED = -32800,
    RPC_FAILED = -32803,
};

enum { RPC_MOST = 64 << 20 }; /* bytes of a message */

typedef struct Rpc {
    bool lines; /* framing: one message a line */
    int in, out;
    Text buffer;
    size_t at;   /* of the buffer: consumed */
    size_t skip; /* bytes of a message that is too large, still to come */
} Rpc;

typedef enum RpcRead { RPC_NOTHING, RPC_MESSAGE, RPC_BAD_FRAME, RPC_TOO_LARGE } RpcRead;

bool rpc_fill(Rpc *r); /* reads what there is; false at the end of the input */
/* The next message, valid until the next call. */
RpcRead rpc_next(Rpc *r, const char **text, size_t *n);
void rpc_send(Rpc *r, cJSON *message); /* deletes it */
/* Answers; id NULL: null. `json` is the result as text. */
void rpc_result(Rpc *r, const cJSON *id, const char *json);
void rpc_error(Rpc *r, const cJSON *id, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void rpc_notify(Rpc *r, const char *method, cJSON *params); /* deletes them */
void rpc_free(Rpc *r);

#endif
