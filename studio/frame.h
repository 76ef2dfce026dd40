/* Frames on a socket between the server and its children: a kind, a size, bytes. */
#ifndef STUDIO_FRAME_H
#define STUDIO_FRAME_H

#include "base/text.h"

typedef enum FrameKind {
    FRAME_HELLO = 1, /* child → server: uint32_t pid */
    FRAME_REQUEST,   /* server → child: JSON */
    FRAME_ANSWER,    /* child → server: uint32_t HTTP status, then the body */
    FRAME_NAMES,     /* JSON: the columns and visuals of the run to come */
    FRAME_CONSTANTS, /* uint32_t run, pad, then doubles: values of the constant columns */
    FRAME_ROWS,      /* uint32_t run, rows, then doubles: the other columns */
    FRAME_EVENT,     /* uint32_t run, then JSON: an event */
    FRAME_BEGIN,     /* uint32_t run: it starts */
    FRAME_PROGRESS,  /* uint32_t run, pad, then three doubles: time, steps, events */
    FRAME_END,       /* JSON: how a run ended */
} FrameKind;

typedef struct FrameHead {
    uint32_t kind, size;
} FrameHead;

enum { FRAME_MOST = 64 << 20 }; /* bytes in a frame */

/* Blocking, for children. False when the other side is gone. */
bool frame_send(int fd, FrameKind kind, const void *bytes, size_t n);
/* The same with a number before the bytes. */
bool frame_send_for(int fd, FrameKind kind, uint32_t number, uint32_t second, const void *bytes,
                    size_t n);
bool frame_receive(int fd, FrameHead *head, Text *body);

/* For the server, which must not block: bytes as they come. */
typedef struct FrameReader {
    Text buffer;
    size_t at; /* of it consumed */
} FrameReader;

typedef enum FrameRead { FRAME_MORE, FRAME_GONE } FrameRead;
/* Reads the available bytes. */
FrameRead frame_fill(FrameReader *r, int fd);
/* The next complete frame; false if there is none yet. `*body` is valid until the next frame_fill.
 */
bool frame_next(FrameReader *r, FrameHead *head, const char **body);

/* A descriptor over a socket of the local machine. */
bool frame_send_fd(int socket, int fd);
int frame_receive_fd(int socket); /* -1 when the other side is gone */

#endif
